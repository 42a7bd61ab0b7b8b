import { clipText } from "../../../events/clip.ts";
import { findCommand } from "../../../process/index.ts";
import { orEnd, ToolProblem } from "../../shared/endings.ts";
import { placeOf, shown, workPlace } from "../places.ts";
import { shellEnvironment } from "../shell-environment.ts";
import type { Turn } from "../turn.ts";
import { defineTool } from "./definition.ts";
import type { Done } from "./definition.ts";

const mostLines = 500;
const longestLine = 500;

interface Input {
  readonly pattern: string;
  readonly path: string;
  readonly files: string | undefined;
  readonly ignoreCase: boolean;
}

export const grep = defineTool<Input>({
  name: "grep",
  tool: "grep",
  description:
    "Search files for an extended regular expression (as `grep -E`). Prints path:line:text. Binary files, `.git` and `node_modules` are passed over.",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string", description: "A folder or a file; the working folder unless given." },
      files: { type: "string", description: "Only files of this name, such as `*.ts`." },
      ignore_case: { type: "boolean" },
    },
    required: ["pattern"],
  },
  check: (input) => ({
    pattern: input.text("pattern"),
    path: input.optionalText("path") ?? ".",
    files: input.optionalText("files"),
    ignoreCase: input.flag("ignore_case"),
  }),
  about: ({ pattern, path }) => ({ pattern, path: path === "." ? undefined : path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  run: async (turn, input, running) => search(turn, input, await workPlace(turn, input.path, running)),
});

/** A program of its own, because an expression that goes wrong can be stopped there, and not in this process. */
async function search(turn: Turn, input: Input, real: string): Promise<Done> {
  const { context, options } = turn.desk;
  if ((await findCommand("grep", context.env)) === undefined)
    throw new ToolProblem("The program grep is not on this machine; use glob and read, or the shell.");
  const child = await context.processes.launch({
    command: "grep",
    args: argumentsOf(input, real),
    cwd: options.cwd,
    env: shellEnvironment(turn.desk),
    agent: "native",
    sessionId: options.sessionId,
    stdin: "ignore",
  });
  try {
    const lines: string[] = [];
    const batches = child.lines[Symbol.asyncIterator]();
    for (let next = await orEnd(turn.signal, batches.next()); next.done !== true;) {
      lines.push(...next.value.lines);
      if (lines.length > mostLines) break;
      next = await orEnd(turn.signal, batches.next());
    }
    if (lines.length > 0) return told(turn, input, real, lines);
    const { code } = await orEnd(turn.signal, child.exited);
    if (code === 1) return { text: "Nothing matches." };
    throw new ToolProblem(child.stderrTail().trim() || "grep failed.");
  } finally {
    await child.stop({ politely: false });
  }
}

function argumentsOf({ pattern, files, ignoreCase }: Input, real: string): string[] {
  const only = files === undefined ? [] : [`--include=${files}`];
  const passedOver = [".git", "node_modules"].map((folder) => `--exclude-dir=${folder}`);
  return ["-rnHIE", ...(ignoreCase ? ["-i"] : []), ...only, ...passedOver, "-e", pattern, "--", real];
}

function told(turn: Turn, { path }: Input, real: string, lines: readonly string[]): Done {
  const limit = turn.desk.context.limits.inlineBytes;
  const named = lines.slice(0, mostLines).map((line) => {
    const short = line.startsWith(real) ? shown(turn, path) + line.slice(real.length) : line;
    return short.replace(/^\.\//, "").slice(0, longestLine);
  });
  let text = named.join("\n");
  if (lines.length > mostLines) text += `\nThere are more than ${mostLines} lines; narrow the search.`;
  return clipText(text, limit);
}
