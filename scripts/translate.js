/** `npm run translate -- <agent> <folder>`: translates recorded streams with the agent's own translator, and checks the laws. */
import { agentEntries } from "../src/agents/index.ts";
import { reportOf } from "../src/testing/recorded/report.ts";
import { translateFolder } from "../src/testing/recorded/translate.ts";

const [id = "", folder = ""] = process.argv.slice(2);
const entry = agentEntries.find((one) => one.id === id);
if (entry === undefined || folder === "") {
  console.error(
    `Usage: npm run translate -- <agent> <folder>, with one of ${agentEntries.map((one) => one.id).join(", ")}.`,
  );
  process.exit(2);
}
try {
  const { lines, failed } = reportOf(await translateFolder(entry, folder));
  console.log(lines.join("\n"));
  process.exitCode = failed ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
