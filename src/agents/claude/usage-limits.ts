/** The windows of a plan's allowance. */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, isoTime, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** One event a window. The single status at the top lags behind the windows (it says `allowed` where one of them warns). */
export function limitsUpdated(info: unknown): AgentEvent[] {
  const from = record(info);
  const windows = Object.entries(record(from["unifiedWindows"])).filter((entry): entry is [string, Wire] =>
    isRecord(entry[1]),
  );
  if (windows.length > 0) return windows.map(([name, window]) => limitUpdated(name, window));
  return isRecord(info) && text(from["status"]) !== undefined
    ? [limitUpdated(text(from["rateLimitType"]) ?? "plan", from)]
    : [];
}

/** When the window that is used up opens again. */
export function limitResets(info: unknown): string | undefined {
  const from = record(info);
  return from["status"] === "rejected" ? isoTime(from["resetsAt"]) : undefined;
}

function limitUpdated(window: string, from: Wire): AgentEvent {
  const used = number(from["utilization"]);
  return {
    type: "limit.updated",
    window,
    usedPercent: used === undefined ? undefined : Math.round(used * 10_000) / 100,
    resetsAt: isoTime(from["resetsAt"]),
    status: from["status"] === "rejected" ? "reached" : from["status"] === "allowed_warning" ? "warning" : "ok",
  };
}
