import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";
import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";

interface LineProps {
  readonly icon: IconName;
  readonly tone?: "good" | "warn" | "bad" | undefined;
  /** A name or an address: it begins as it is. */
  readonly verbatim?: boolean | undefined;
  readonly children: ReactNode;
}

/** What happened beside the conversation, in a few words. */
export function Line({ icon, tone, verbatim = false, children }: LineProps) {
  return (
    <p className={classes("line", tone, verbatim && "verbatim")}>
      <Icon name={icon} size={14} />
      <span dir="auto">{children}</span>
    </p>
  );
}
