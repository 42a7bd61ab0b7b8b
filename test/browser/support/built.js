/** The published command: does what `bin/reins.js` would do without the sources beside it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...args] = process.argv.slice(2);
const { main } = await import(pathToFileURL(join(folder, "dist", "cli.cjs")).href);
await main(args);
