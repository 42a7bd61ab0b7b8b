/**
 * A Reins process with a store, to be killed: `node kept-victim.ts <folder of the store> <cwd> <agent> <mode> <prompt> [<session>]`. Prints
 * the id of its session and then each event. Its requests are never answered.
 */
import { modes } from "../../src/events/modes.ts";
import { createReins } from "../../src/index.ts";
import { openStore } from "../../src/store/index.ts";

const [folder = "", cwd = "", agent = "", mode = "", prompt = "", resume] = process.argv.slice(2);
const store = openStore({ folder });
const reins = createReins({ store });
const session = await reins.session({
  agent: resume === undefined ? agent : undefined,
  cwd,
  mode: modes.find((name) => name === mode),
  resume,
  attended: true,
});
process.stdout.write(`${session.id}\n`);
for await (const event of session.prompt(prompt)) process.stdout.write(`${JSON.stringify(event)}\n`);
await reins.close();
store.close();
