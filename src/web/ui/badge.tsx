import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes("badge", tone)}>{children}</span>;
}

/** A mark of a state; its meaning must stand in words beside it or in `label`. */
export function Dot({
  tone = "neutral",
  pulse = false,
  label,
}: {
  readonly tone?: Tone;
  readonly pulse?: boolean;
  readonly label?: string;
}) {
  return (
    <span
      className={classes("dot", tone, pulse && "pulse")}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    />
  );
}
