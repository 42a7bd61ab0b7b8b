/** Earlier messages as a conversation in pi's own format, for pi to make a copy of. */
import { randomUUID } from "node:crypto";
import type { HistoryMessage } from "../contract.ts";

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const usage = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } };

export function historyText(history: readonly HistoryMessage[], cwd: string, now = new Date()): string {
  const timestamp = now.toISOString();
  const header = { type: "session", version: 3, id: randomUUID(), timestamp, cwd };
  const entries = history.map((message, index) => ({
    type: "message",
    id: entryId(index),
    parentId: index === 0 ? null : entryId(index - 1),
    timestamp,
    message: { ...spoken(message), timestamp: now.getTime() },
  }));
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

function spoken({ role, text }: HistoryMessage): object {
  const content = [{ type: "text", text }];
  if (role === "person") return { role: "user", content };
  // Who said it is not known; pi passes on what another model said as plain text.
  return {
    role: "assistant",
    content,
    api: "unknown",
    provider: "unknown",
    model: "unknown",
    usage,
    stopReason: "stop",
  };
}

function entryId(index: number): string {
  return index.toString(16).padStart(8, "0");
}
