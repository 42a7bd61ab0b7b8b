import { useMemo } from "react";
import type { DiffRow } from "../../view/side-by-side.ts";
import { Highlighted } from "../markdown/highlighted.tsx";
import { classes } from "../ui/classes.ts";
import { diffLines } from "./diff-lines.ts";

const signs = { added: "+", removed: "−", same: "", gap: "", note: "" } as const;

interface UnifiedDiffProps {
  readonly rows: readonly DiffRow[];
  readonly language: string;
}

export function UnifiedDiff({ rows, language }: UnifiedDiffProps) {
  const lines = useMemo(() => diffLines(rows), [rows]);
  return (
    <div className="diff-lines">
      {lines.map((line, index) => (
        <div key={index} className={classes("diff-line", line.kind)}>
          <span className="diff-number">{line.before}</span>
          <span className="diff-number">{line.after}</span>
          <span className="diff-sign">{signs[line.kind]}</span>
          <code dir="auto">
            {line.kind === "gap" || line.kind === "note" ? (
              `${line.kind === "gap" ? "⋯ " : ""}${line.text}`
            ) : (
              <Highlighted code={line.text} language={language} />
            )}
          </code>
        </div>
      ))}
    </div>
  );
}
