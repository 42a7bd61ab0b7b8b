import { memo } from "react";
import { ItemView } from "./item-view.tsx";
import { Prompt } from "./prompt.tsx";
import type { Row } from "./rows.ts";
import { TurnFoot } from "./turn-foot.tsx";

interface RowViewProps {
  readonly row: Row;
  /** Where it is the same, the row is. */
  readonly stamp: string;
}

export const RowView = memo(
  function RowView({ row }: RowViewProps) {
    return (
      <div className={`row row-${row.kind === "item" ? row.item.kind : row.kind}`}>
        <div className="row-inside">{inside(row)}</div>
      </div>
    );
  },
  (before, after) =>
    before.stamp === after.stamp && before.row.key === after.row.key && sameSubject(before.row, after.row),
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
