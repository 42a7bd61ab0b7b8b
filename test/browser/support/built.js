/** The command as it is published: what `bin/reins.js` would do if the sources were not beside it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...args] = process.argv.slice(2);
const { main } = await import(pathToFileURL(join(folder, "dist", "cli.cjs")).href);
await main(args);
