/** A Reins that is killed while a tool runs: `node victim.ts <prompt>`. Prints the state of its session once the tool runs. */
import { createReins } from "../../../../src/index.ts";

const reins = createReins();
const session = await reins.session({ agent: "native", mode: "full" });
for await (const event of session.prompt(process.argv[2] ?? ""))
  if (event.type === "tool.progress") process.stdout.write(`${session.state}\n`);
