/** The requests Claude Code sent to its model. */
import type { Item, LoggedRequest, ScriptedModel } from "../../../../src/testing/index.ts";

export interface Asked {
  readonly model: string;
  readonly tools: readonly string[];
  /** The system prompt, and system messages between the others. */
  readonly system: string;
  readonly messages: string;
  readonly items: readonly Item[];
  readonly scenario: string | undefined;
}

interface Body {
  readonly model: string;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export function asked(model: ScriptedModel): Asked[] {
  return model.requests.filter((request) => request.kind === "answer").map(read);
}

function read(request: LoggedRequest): Asked {
  const body = request.body as Body;
  const systemMessages = body.messages.filter((message) => message.role === "system");
  return {
    model: body.model,
    tools: (body.tools ?? []).map((tool) => tool.name),
    system: JSON.stringify([body.system, systemMessages]),
    messages: JSON.stringify(body.messages),
    items: request.items ?? [],
    scenario: request.scenario,
  };
}

/** The tool results in the latest request, newest last. */
export function toldResults(model: ScriptedModel): string[] {
  const items = asked(model).at(-1)?.items ?? [];
  return items.flatMap((item) => (item.from === "tool" ? [item.text] : []));
}
