import type { SpelledToolCall } from "../../../agents/contract.ts";
import type { Stop, Usage } from "../../scenario.ts";

export const finishReasons: Readonly<Record<Stop, string>> = {
  end: "STOP",
  call: "STOP",
  max_tokens: "MAX_TOKENS",
  refusal: "SAFETY",
  stop_sequence: "STOP",
  context: "MAX_TOKENS",
};

export type Part =
  | { readonly text: string; readonly thought?: true }
  | { readonly functionCall: { readonly name: string; readonly args: unknown }; readonly thoughtSignature: string };

/** The agent hands the signature back unread. Arguments are an object, always. */
export const callPart = ({ name, input }: SpelledToolCall): Part => ({
  functionCall: { name, args: typeof input === "object" && input !== null ? input : { input } },
  thoughtSignature: Buffer.from("scripted").toString("base64"),
});

export const candidate = (parts: readonly Part[], finishReason?: string) => ({
  content: { role: "model", parts },
  ...(finishReason === undefined ? {} : { finishReason }),
  index: 0,
});

export function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    promptTokenCount: asked,
    candidatesTokenCount: output - thought,
    totalTokenCount: asked + output,
    ...(cacheRead === 0 ? {} : { cachedContentTokenCount: cacheRead }),
    ...(thought === 0 ? {} : { thoughtsTokenCount: thought }),
  };
}
