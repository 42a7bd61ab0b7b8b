/** A whole Reins process for tests that kill it: opens a session, sends a prompt and prints the events. `node reins.ts <cwd> <prompt>` */
import { createReins } from "../../../../src/index.ts";

const [cwd = "", prompt = ""] = process.argv.slice(2);
const reins = createReins();
const session = await reins.session({ agent: "qwen", cwd, mode: "full" });
for await (const event of session.prompt(prompt)) console.log(JSON.stringify(event));
await reins.close();
