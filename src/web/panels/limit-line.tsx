import { limitName } from "../../view/labels.ts";
import type { LimitItem } from "../../view/model.ts";
import { moment, until, useNow } from "../format/format.ts";
import { Badge, classes } from "../ui/basics.tsx";

interface MeterProps {
  readonly label: string;
  readonly percent: number;
  readonly tone?: "normal" | "warn" | "bad" | undefined;
}

export function Meter({ label, percent, tone = "normal" }: MeterProps) {
  const shown = Math.min(100, Math.max(0, percent));
  return (
    <div
      className={classes("meter", tone)}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown)}
    >
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={shown} height="6" />
      </svg>
    </div>
  );
}

const words = { ok: "within", warning: "almost used up", reached: "used up" } as const;
const tones = { ok: "normal", warning: "warn", reached: "bad" } as const;

interface LimitLineProps {
  readonly limit: Pick<LimitItem, "window" | "status" | "usedPercent" | "resetsAt">;
}

/** A usage window of a plan: how much is used, and when it resets. */
export function LimitLine({ limit }: LimitLineProps) {
  const now = useNow();
  const { window, status, usedPercent, resetsAt } = limit;
  const name = limitName(window);
  const left = resetsAt === undefined ? undefined : until(Date.parse(resetsAt), now);
  return (
    <div className="limit-line">
      <div className="limit-words">
        <span>{name}</span>
        {status !== "ok" && <Badge tone={status === "reached" ? "bad" : "warn"}>{words[status]}</Badge>}
        {usedPercent !== undefined && <span className="limit-percent">{Math.round(usedPercent)} % used</span>}
      </div>
      {usedPercent !== undefined && <Meter label={`${name}, used`} percent={usedPercent} tone={tones[status]} />}
      {resetsAt !== undefined && (
        <small title={moment(resetsAt)}>
          {left === undefined ? "It has been reset since." : `Resets ${left}, ${moment(resetsAt)}`}
        </small>
      )}
    </div>
  );
}
