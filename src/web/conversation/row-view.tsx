import { memo, useEffect, useRef } from "react";
import { classes } from "../ui/classes.ts";
import { ItemView } from "./item-view.tsx";
import { Prompt } from "./prompt.tsx";
import type { Row } from "./rows.ts";
import { TurnFoot } from "./turn-foot.tsx";

interface RowViewProps {
  readonly row: Row;
  /** Where it is the same, the row is. */
  readonly stamp: string;
  readonly sought: Sought;
}

/** It is what somebody looked for: just now, or a while ago. */
export type Sought = "now" | "before" | undefined;

export const RowView = memo(
  function RowView({ row, sought }: RowViewProps) {
    const element = useRef<HTMLDivElement>(null);
    useEffect(() => (sought === "now" ? focusWhenSeen(element.current) : undefined), [sought]);
    // Who was led here stays here when the mark is gone.
    const place = sought === undefined ? {} : { tabIndex: -1, role: "group", "aria-label": "What was found" };
    return (
      <div
        ref={element}
        className={classes(`row row-${row.kind === "item" ? row.item.kind : row.kind}`, sought === "now" && "sought")}
        {...place}
      >
        <div className="row-inside">{inside(row)}</div>
      </div>
    );
  },
  (before, after) =>
    before.stamp === after.stamp &&
    before.sought === after.sought &&
    before.row.key === after.row.key &&
    sameSubject(before.row, after.row),
);

function inside(row: Row) {
  switch (row.kind) {
    case "prompt":
      return row.turn.input === undefined ? null : <Prompt input={row.turn.input} path={row.key} />;
    case "item":
      return <ItemView item={row.item} path={row.key} />;
    case "end":
      return <TurnFoot turn={row.turn} />;
  }
}

function sameSubject(before: Row, after: Row): boolean {
  if (before.kind === "item") return after.kind === "item" && before.item === after.item;
  return after.kind !== "item" && before.turn === after.turn;
}

/** The list hides a row until it knows its height, and what is hidden takes no focus. */
function focusWhenSeen(element: HTMLElement | null): () => void {
  let frame = 0;
  const look = (): void => {
    element?.focus({ preventScroll: true });
    if (element !== document.activeElement) frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}
