import type { Limit } from "../../scenario.ts";

const statuses = { ok: "allowed", warning: "allowed_warning", reached: "rejected" } as const;
const windows = { five_hour: "5h", seven_day: "7d" } as const;

export function limitHeaders(limit: Limit, now: number): Record<string, string> {
  const prefix = "anthropic-ratelimit-unified";
  const status = statuses[limit.status];
  const reset = String(Math.floor(now / 1000) + limit.resetsInSeconds);
  const own = `${prefix}-${windows[limit.window]}`;
  const other = `${prefix}-${limit.window === "five_hour" ? "7d" : "5h"}`;
  return {
    [`${prefix}-status`]: status,
    [`${prefix}-reset`]: reset,
    [`${prefix}-representative-claim`]: limit.window,
    [`${own}-status`]: status,
    [`${own}-reset`]: reset,
    [`${own}-utilization`]: String(limit.usedPercent / 100),
    [`${other}-status`]: "allowed",
    [`${other}-reset`]: String(Math.floor(now / 1000) + 86_400),
    [`${other}-utilization`]: "0.1",
    [`${prefix}-overage-status`]: "rejected",
    [`${prefix}-overage-disabled-reason`]: "org_level_disabled",
  };
}
