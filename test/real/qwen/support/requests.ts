/** The requests Qwen Code sent to its model. */
import type { Item, LoggedRequest, ScriptedModel } from "../../../../src/testing/index.ts";

export interface Asked {
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: string;
  readonly messages: string;
  readonly items: readonly Item[];
  readonly scenario: string | undefined;
}

interface Body {
  readonly model: string;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export function asked(model: ScriptedModel): Asked[] {
  return model.requests.filter((request) => request.kind === "answer").map(read);
}

function read(request: LoggedRequest): Asked {
  const body = request.body as Body;
  return {
    model: body.model,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    system: JSON.stringify(body.messages.filter((message) => message.role === "system")),
    messages: JSON.stringify(body.messages.filter((message) => message.role !== "system")),
    items: request.items ?? [],
    scenario: request.scenario,
  };
}

/** The tool results in the latest request, newest last. */
export function toldResults(model: ScriptedModel): string[] {
  const items = asked(model).at(-1)?.items ?? [];
  return items.flatMap((item) => (item.from === "tool" ? [item.text] : []));
}
