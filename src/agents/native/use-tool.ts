import { clipText } from "../../events/clip.ts";
import { titleOf } from "../../events/titles.ts";
import { ToolProblem } from "../shared/in-process/stop-turn.ts";
import { callTool, type Done } from "../shared/in-process/tool-call.ts";
import type { ModelCall } from "./model-call.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
}

export async function useTool(turn: Turn, offered: readonly ToolDefinition[], called: ModelCall): Promise<ToolResult> {
  const { options, files, tools } = turn.context;
  const { toolName: nativeName, input } = called;
  const definition = tools.find(({ name }) => name === nativeName);
  const tool = definition?.tool ?? "other";
  const title = (given: unknown): string => {
    const context = { cwd: options.cwd, nativeName };
    try {
      return titleOf(tool, definition?.about(definition.check(given)) ?? {}, context);
    } catch {
      return titleOf(tool, {}, context);
    }
  };
  const call = { callId: turn.newId("call"), tool, nativeName, title: title(input), input };
  const { locate, inquiry, mcp } = definition ?? {};
  const result = await callTool<unknown, Done>(turn, {
    call: mcp === undefined ? call : { ...call, mcp },
    raw: options.raw === true ? called : undefined,
    title,
    check: (given) => offeredTool(nativeName, definition, offered).check(given),
    locate: locate && ((checked) => locate(files, checked)),
    inquiry: inquiry && ((checked) => inquiry(turn, checked)),
    run: async (checked, running) => {
      await turn.emit({ type: "turn.phase", phase: "tool" });
      return definition!.run(turn, checked, running);
    },
  });
  if ("done" in result) return { text: textFor(result.done), failed: false };
  const output = result.failed instanceof ToolProblem ? result.failed.output : undefined;
  return { text: output === undefined ? result.message : `${result.message}\n${output}`, failed: true };
}

/** A model may call a tool that it was not offered. */
function offeredTool(
  name: string,
  definition: ToolDefinition | undefined,
  offered: readonly ToolDefinition[],
): ToolDefinition {
  if (definition !== undefined && offered.includes(definition)) return definition;
  if (definition !== undefined) throw new ToolProblem(`The tool ${name} is not allowed here.`, "denied");
  const names = offered.map((tool) => tool.name).join(", ");
  throw new ToolProblem(`There is no tool ${clipText(name, 100).text}; there are ${names}.`);
}

function textFor({ text, bytes, exitCode }: Done): string {
  const cut = bytes !== undefined && bytes > Buffer.byteLength(text) ? `\n(cut: there are ${bytes} bytes)` : "";
  const code = exitCode === undefined || exitCode === 0 ? "" : `\n(exit code ${exitCode})`;
  return text + cut + code;
}
