import type { DiffRow, DiffSide } from "../../view/side-by-side.ts";
import { classes } from "../ui/classes.ts";

export function SplitDiff({ rows }: { readonly rows: readonly DiffRow[] }) {
  return (
    <div className="diff-split">
      {rows.map((row, index) =>
        row.kind === "gap" || row.kind === "note" ? (
          <div key={index} className={classes("diff-whole", row.kind)}>
            <code dir="auto">{row.kind === "gap" ? `⋯ ${row.text}` : row.text}</code>
          </div>
        ) : (
          <div key={index} className="diff-pair">
            <Side side={row.left} changed={row.kind === "changed"} tone="removed" />
            <Side side={row.right} changed={row.kind === "changed"} tone="added" />
          </div>
        ),
      )}
    </div>
  );
}

interface SideProps {
  readonly side: DiffSide | undefined;
  readonly changed: boolean;
  readonly tone: "added" | "removed";
}

function Side({ side, changed, tone }: SideProps) {
  return (
    <div className={classes("diff-side", side === undefined ? "none" : changed && tone)}>
      <span className="diff-number">{side?.number}</span>
      <code dir="auto">{side?.text}</code>
    </div>
  );
}
