/** Its models. Print mode names them by slug, ACP by a form with brackets. Labels contain characters that break careless parsers. */
import { textOf } from "../agent-loop/index.ts";
import { readConfig } from "./config.ts";

export interface Model {
  readonly slug: string;
  readonly label: string;
  /** The name used by ACP. */
  readonly spelled: string;
}

export const models: readonly Model[] = [
  { slug: "auto", label: "Auto", spelled: "default[]" },
  { slug: "composer-2.5", label: "Composer 2.5", spelled: "composer-2.5[fast=false]" },
  { slug: "composer-2.5-fast", label: "Composer 2.5  Fast", spelled: "composer-2.5[fast=true]" },
  { slug: "gpt-5.4-mini-low", label: "GPT-5.4\u200B Mini Low", spelled: "gpt-5.4-mini[effort=low]" },
  { slug: "grok-4.7-xhigh", label: "Grok 4.7 256K (Extra High)", spelled: "grok-4.7[context=256k,effort=xhigh]" },
];

/** The form with brackets must match exactly. */
export const modelNamed = (name: string): Model | undefined =>
  models.find(({ slug, spelled }) => slug === name || spelled === name);

export const currentModel = (): Model => modelNamed(textOf(readConfig()["model"])) ?? models[0]!;

export function listedModels(): string {
  const current = currentModel().slug;
  const rows = models.map(({ slug, label }) => {
    const marks = [...(slug === current ? ["current"] : []), ...(slug === "auto" ? ["default"] : [])];
    return `${slug} - ${label}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`;
  });
  const tip =
    "Tip: use --model <id> (or /model <id> in interactive mode) to switch. Parameterized models also accept quoted overrides.";
  return ["Available models", "", ...rows, "", tip].join("\n");
}
