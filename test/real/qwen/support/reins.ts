/** A whole Reins, for tests that kill it: opens a session as told, prompts, and prints what it sees. `node reins.ts <cwd> <prompt>` */
import { createReins } from "../../../../src/index.ts";

const [cwd = "", prompt = ""] = process.argv.slice(2);
const reins = createReins();
const session = await reins.session({ agent: "qwen", cwd, mode: "full" });
for await (const event of session.prompt(prompt)) console.log(JSON.stringify(event));
await reins.close();
