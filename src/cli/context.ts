import type { ModelContext } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import { asking, print } from "./asking.ts";

export interface ContextCommand {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly json?: boolean;
}

/** `reins context`: what would be sent to the model now, of a session or of a fresh one. Nothing is sent. */
export async function context(state: string | undefined, options: ContextCommand, ending: AbortSignal): Promise<void> {
  const { agent, model, mode, cwd, prompt } = options;
  const found = await asking("Putting it together", ending, (reins) =>
    reins.context({ agent, model, mode, cwd, prompt, resume: state }),
  );
  await print([found], options, ([one]) => pageOf(one!));
}

function pageOf({ model, system, tools, messages, request }: ModelContext): string {
  const parts = [
    ["Model", model],
    ["System prompt", system],
    [
      `Tools (${tools.length})`,
      tools.map((tool) => `${tool.name}: ${tool.description}\n${indented(tool.inputSchema)}`).join("\n\n"),
    ],
    [`Messages (${messages.length})`, messages.length === 0 ? "None yet." : messages.map(indented).join("\n")],
    ...(request === undefined ? [] : [["Request", `POST ${request.url}\n${indented(request.body)}`]]),
  ];
  return parts.map(([title, text]) => `# ${title}\n\n${text}\n`).join("\n");
}

function indented(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
