/**
 * A Reins process with a store, to be killed: `node kept-victim.ts <folder> <prompt> [<session>]`. It prints each event as it is shown, and the
 * word `open` with the id of its session before.
 */
import { createReins } from "../../src/index.ts";
import { openStore } from "../../src/store/index.ts";

const [folder = "", prompt = "", resume] = process.argv.slice(2);
const store = openStore({ folder });
const reins = createReins({ store });
const session = await reins.session({ agent: "demo", cwd: folder, mode: "full", resume });
process.stdout.write(`open ${session.id}\n`);
for await (const event of session.prompt(prompt)) process.stdout.write(`${JSON.stringify(event)}\n`);
await reins.close();
store.close();
