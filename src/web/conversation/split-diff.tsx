import type { DiffRow, DiffSide } from "../../view/side-by-side.ts";
import { Highlighted } from "../markdown/highlighted.tsx";
import { classes } from "../ui/classes.ts";

interface SplitDiffProps {
  readonly rows: readonly DiffRow[];
  readonly language: string;
}

export function SplitDiff({ rows, language }: SplitDiffProps) {
  return (
    <div className="diff-split">
      {rows.map((row, index) =>
        row.kind === "gap" || row.kind === "note" ? (
          <div key={index} className={classes("diff-whole", row.kind)}>
            <code dir="auto">{row.kind === "gap" ? `⋯ ${row.text}` : row.text}</code>
          </div>
        ) : (
          <div key={index} className="diff-pair">
            <Side side={row.left} changed={row.kind === "changed"} tone="removed" language={language} />
            <Side side={row.right} changed={row.kind === "changed"} tone="added" language={language} />
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
  readonly language: string;
}

function Side({ side, changed, tone, language }: SideProps) {
  return (
    <div className={classes("diff-side", side === undefined ? "none" : changed && tone)}>
      <span className="diff-number">{side?.number}</span>
      <code dir="auto">{side !== undefined && <Highlighted code={side.text} language={language} />}</code>
    </div>
  );
}
