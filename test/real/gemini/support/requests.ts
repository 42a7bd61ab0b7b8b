/** The requests Gemini CLI sent to its model. */
import type { ScriptedModel } from "../../../../src/testing/index.ts";

export interface Asked {
  readonly path: string;
  readonly tools: readonly string[];
  readonly system: string;
  readonly contents: string;
}

interface Body {
  readonly systemInstruction?: unknown;
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents: unknown;
}

export function lastAsked(model: ScriptedModel): Asked {
  const { path, body } = model.requests.filter((request) => request.kind === "answer").at(-1)!;
  const { systemInstruction, tools = [], contents } = body as Body;
  return {
    path,
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    system: JSON.stringify(systemInstruction),
    contents: JSON.stringify(contents),
  };
}
