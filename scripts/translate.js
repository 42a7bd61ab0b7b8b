/** `npm run translate -- <agent> <folder>`: translates recorded streams with the agent's own translator and checks the laws. */
import { resolve } from "node:path";
import { agentEntries } from "../src/agents/index.ts";
import { reportOf, translateFolder } from "../test/translate/translate.ts";

const [id = "", folder = ""] = process.argv.slice(2);
const entry = agentEntries.find((one) => one.id === id);
if (entry === undefined || folder === "") {
  const ids = agentEntries.map((one) => one.id).join(", ");
  if (entry === undefined && id !== "") console.error(`Unknown agent "${id}". Choose one of ${ids}.`);
  console.error("Usage: npm run translate -- <agent> <folder>");
  process.exit(2);
}
try {
  // npm changes to the root of the project first.
  const from = process.env.INIT_CWD ?? process.cwd();
  const { lines, failed } = reportOf(await translateFolder(entry, resolve(from, folder)));
  console.log(lines.join("\n"));
  process.exitCode = failed ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
