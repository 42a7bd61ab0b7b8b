/** What came of a call: its text, its images, its exit code, and if it failed, why. */
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf, Content, ToolOutput } from "../../events/types.ts";
import { list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export interface Outcome {
  readonly output: ToolOutput;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failed?: { readonly error: AgentEventOf<"tool.failed">["error"]; readonly reason: "error" | "denied" };
}

/** What its model is told about a call that was not allowed. */
const rejection = /\brejected by user\b|\buser rejected\b|\breject command\b|approval policy is Never/i;

export function itemOutcome(item: Wire): Outcome {
  const durationMs = number(item["durationMs"]);
  switch (item["type"]) {
    case "commandExecution": {
      const said = typeof item["aggregatedOutput"] === "string" ? item["aggregatedOutput"] : "";
      const exitCode = number(item["exitCode"]);
      return { ...outcomeOf(said, item["status"], exitCode), durationMs, exitCode };
    }
    case "mcpToolCall": {
      const { content, ...rest } = mcpOutcome(item);
      return content.length === 0 ? rest : { ...rest, output: { ...rest.output, content } };
    }
    case "dynamicToolCall": {
      const said = textsOf(item["contentItems"]);
      return { ...outcomeOf(said, item["success"] === false ? "failed" : item["status"]), durationMs };
    }
    case "collabAgentToolCall":
      return outcomeOf(collaborationText(item), item["status"]);
    default:
      return { ...outcomeOf("", item["status"]), durationMs };
  }
}

/** Of a call that has no item: only what its model was told. */
export function toldOutcome(name: string, told: unknown): Outcome {
  const whole = typeof told === "string" ? told : textsOf(told);
  const [, header, body] = /^([\s\S]*?)^Output:\n([\s\S]*)$/m.exec(whole) ?? [undefined, "", whole];
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(header ?? "")?.[1];
  const exitCode = code === undefined ? undefined : Number(code);
  const broken = exitCode === undefined ? isRefusal(name, whole) : exitCode !== 0;
  return { ...outcomeOf(body ?? "", broken ? "failed" : "completed", exitCode), exitCode };
}

const isRefusal = (name: string, said: string): boolean =>
  /^(unsupported call|failed to parse|apply_patch verification failed|\w+ is unavailable)/i.test(said) ||
  said.startsWith(`${name} failed`) ||
  rejection.test(said);

function outcomeOf(said: string, status: unknown, exitCode?: number): Outcome {
  const kept = Buffer.byteLength(said);
  const output: ToolOutput = { text: said, bytes: kept, kept };
  if (status === "declined" || (status === "failed" && rejection.test(said)))
    return { output, failed: { error: { message: "It was not allowed." }, reason: "denied" } };
  if (status !== "failed" && status !== "interrupted") return { output };
  const message = clipText(said.trim(), defaultLimits.inlineBytes).text || "The tool failed and did not say why.";
  const error = exitCode === undefined ? { message } : { message, exitCode };
  return { output, failed: { error, reason: "error" } };
}

function mcpOutcome(item: Wire): Outcome & { readonly content: Content[] } {
  const result = record(item["result"]);
  const said = text(record(item["error"])["message"]) ?? textsOf(result["content"]);
  return { ...outcomeOf(said, item["status"]), durationMs: number(item["durationMs"]), content: imagesOf(result) };
}

function imagesOf(result: Wire): Content[] {
  return list(result["content"]).flatMap((part): Content[] => {
    const { type, data, mimeType } = record(part);
    if (type !== "image" || typeof data !== "string") return [];
    return [
      { type: "image", mediaType: text(mimeType) ?? "image/png", data, bytes: Buffer.byteLength(data, "base64") },
    ];
  });
}

/** The texts among parts of content, whatever they are called. */
function textsOf(content: unknown): string {
  return list(content)
    .flatMap((part) => text(record(part)["text"]) ?? [])
    .join("\n");
}

/** What the subagents said that were waited for. */
function collaborationText(item: Wire): string {
  return Object.values(record(item["agentsStates"]))
    .flatMap((state) => text(record(state)["message"]) ?? [])
    .join("\n");
}
