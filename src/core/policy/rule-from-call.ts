/** Makes the rule for an "always" answer: it matches the same call again and nothing else. */
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import { locate, realPath } from "../../workspace/real-paths.ts";
import type { Compiled } from "./compile.ts";
import { commandLineOf, folderOf, foldersOf } from "./command-input.ts";
import { quotedWords, type Rule } from "./rule.ts";
import { readCommandLine } from "./shell/read.ts";
import { subjectOf, type Call, type Part } from "./subject.ts";

/** A rule with more parts would be too long to read before agreeing to it. */
const mostParts = 4;

/** Undefined when no rule matches exactly this call. The answer then applies once, or as far as the agent remembers it. */
export function ruleFromCall(call: Call, compiled: Compiled): Rule | undefined {
  const { tool, parts, dynamic } = subjectOf(call, compiled);
  if (dynamic || parts.length > mostParts) return undefined;
  if (tool === "shell") return commandRule(call, compiled);
  if (tool === "web_search") return { decision: "allow", tool };
  const [first] = parts;
  switch (first?.kind) {
    case "mcp":
      return { decision: "allow", mcp: `${escaped(first.server)}/${escaped(first.tool)}` };
    case "domain":
      return { decision: "allow", tool, domain: parts.map(({ what }) => what) };
    case "path":
      return pathRule(tool, parts, compiled);
    default:
      return undefined;
  }
}

function commandRule({ input }: Call, { scope: { cwd } }: Compiled): Rule | undefined {
  const reading = readCommandLine(commandLineOf(input) ?? "");
  const { commands, files } = reading;
  // `cd build && rm -r out` must not allow `rm -r out` in this folder.
  if (realPath(folderOf(input, cwd)) !== cwd || foldersOf(reading, cwd).moves) return undefined;
  const own = commands.filter(({ carrier }) => !carrier);
  const loose = own.some(({ words }) => words.some(({ glob, text }) => glob || /\p{Cc}/u.test(text)));
  if (loose || own.length === 0 || files.length > 0) return undefined;
  // The rule would have the words alone, and so allow the same command with any other input.
  if (commands.some(({ redirected }) => redirected)) return undefined;
  const command = [...new Set(own.map(({ words }) => quotedWords(words.map(({ text }) => text))))];
  return { decision: "allow", command: command.length === 1 ? command[0]! : command };
}

/** Only ordinary locations: protected files can make other programs run. */
function pathRule(tool: Call["tool"], parts: readonly Part[], { scope }: Compiled): Rule | undefined {
  const { cwd, protectedFiles } = scope;
  const workspace = { cwd, folders: [cwd], rules: pathRules(protectedFiles) };
  const real = parts.flatMap((part) =>
    part.kind === "path" ? [`/${part.real.filter((name) => typeof name === "string").join("/")}`] : [],
  );
  if (real.some((path) => locate(workspace, path).where !== "ordinary")) return undefined;
  const path = [...new Set(real.map((one) => escaped(relativeTo(cwd, one, workspace.rules) ?? one)))];
  return { decision: "allow", tool, path: path.length === 1 ? path[0]! : path };
}

function escaped(text: string): string {
  return text.replace(/[*\\]/g, "\\$&");
}
