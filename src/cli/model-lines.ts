import type { ModelInfo } from "../agents/contract.ts";
import { flat } from "./table.ts";

/** Models, one a line: the name to type, what it is, and what is known of it. */
export function modelLines(models: readonly ModelInfo[]): readonly string[] {
  const width = Math.max(0, ...models.map(({ id }) => id.length));
  return models.map((model) => flat(`${model.id.padEnd(width)}  ${aboutModel(model)}`).trimEnd());
}

function aboutModel({ id, label, description, ...model }: ModelInfo): string {
  const words = [label === id ? undefined : label, description].filter((part) => part !== undefined).join(": ");
  const facts = [
    model.default === true ? "default" : undefined,
    model.current === true ? "current" : undefined,
    model.provider,
    thinking(model.thinking),
    model.contextSize === undefined ? undefined : `${tokens(model.contextSize)} tokens`,
  ].filter((fact) => fact !== undefined);
  return [words, facts.length === 0 ? "" : `(${facts.join(", ")})`].filter((part) => part !== "").join(" ");
}

function thinking(can: ModelInfo["thinking"]): string | undefined {
  if (can === undefined || can === false) return undefined;
  return can === true || can.length === 0 ? "thinks" : `thinks: ${can.join("/")}`;
}

function tokens(size: number): string {
  if (size >= 1_000_000) return `${Math.round(size / 100_000) / 10}M`;
  return size >= 1_000 ? `${Math.round(size / 1_000)}k` : String(size);
}
