import { classes } from "../ui/classes.ts";

interface MeterProps {
  readonly label: string;
  /** From 0 to 100. */
  readonly percent: number;
  readonly tone?: "normal" | "warn" | "bad" | undefined;
}

/** How much of something is used up. */
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
