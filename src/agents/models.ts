/**
 * The unified model names: one table for every agent. An alias (`opus`) and other spellings (`claude-opus-5.5`,
 * `anthropic/claude-opus-5-5`) find the same row. The agent's folder knows how the agent itself spells a name.
 */
import { spelled } from "./shared/model-name.ts";

export interface UnifiedModel {
  readonly id: string;
  readonly vendor: string;
  readonly label: string;
  /** Short names. When a newer model of the same kind appears, the aliases move to it. */
  readonly aliases?: readonly string[];
}

export const unifiedModels: readonly UnifiedModel[] = [
  { id: "claude-opus-5-5", vendor: "anthropic", label: "Claude Opus 5.5", aliases: ["opus"] },
  { id: "claude-sonnet-5-5", vendor: "anthropic", label: "Claude Sonnet 5.5", aliases: ["sonnet"] },
  { id: "claude-haiku-5-5", vendor: "anthropic", label: "Claude Haiku 5.5", aliases: ["haiku"] },
  { id: "claude-fable-5-2", vendor: "anthropic", label: "Claude Fable 5.2", aliases: ["fable"] },
  { id: "gpt-6.1-sol", vendor: "openai", label: "GPT-6.1 Sol", aliases: ["gpt", "sol"] },
  { id: "gpt-6.1-terra", vendor: "openai", label: "GPT-6.1 Terra", aliases: ["terra"] },
  { id: "gpt-6-luna", vendor: "openai", label: "GPT-6 Luna", aliases: ["luna"] },
  { id: "gpt-6-astra", vendor: "openai", label: "GPT-6 Astra", aliases: ["astra"] },
  { id: "gpt-5.5", vendor: "openai", label: "GPT-5.5" },
  { id: "gemini-3.1-pro-preview", vendor: "google", label: "Gemini 3.1 Pro", aliases: ["gemini-pro"] },
  { id: "gemini-3.5-flash", vendor: "google", label: "Gemini 3.5 Flash", aliases: ["gemini-flash"] },
  { id: "gemini-3.5-flash-lite", vendor: "google", label: "Gemini 3.5 Flash-Lite", aliases: ["gemini-flash-lite"] },
  { id: "gemini-2.5-pro", vendor: "google", label: "Gemini 2.5 Pro" },
  { id: "gemini-2.5-flash", vendor: "google", label: "Gemini 2.5 Flash" },
  { id: "qwen3-coder-plus", vendor: "qwen", label: "Qwen3 Coder Plus", aliases: ["qwen-coder"] },
];

const rows = new Map(
  unifiedModels.flatMap((model) => [model.id, ...(model.aliases ?? [])].map((name) => [spelled(name), model] as const)),
);

export function unifiedModel(name: string): UnifiedModel | undefined {
  const plain = spelled(name);
  const slash = plain.indexOf("/");
  const found = rows.get(slash === -1 ? plain : plain.slice(slash + 1));
  return slash === -1 || found?.vendor === plain.slice(0, slash) ? found : undefined;
}

/** True for a short name. An agent may have the same alias and resolve it better than this table. */
export function isAlias(name: string): boolean {
  return unifiedModel(name)?.aliases?.includes(name.toLowerCase()) === true;
}
