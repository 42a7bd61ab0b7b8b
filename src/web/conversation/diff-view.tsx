import { useMemo } from "react";
import { languageOfFile } from "../../view/highlight/index.ts";
import { sideBySide, type DiffRow, type DiffSide } from "../../view/side-by-side.ts";
import { Highlighted } from "../markdown/highlighted.tsx";
import { createStore, keep, readKept, useStore } from "../state/store.ts";
import { Button, classes } from "../ui/basics.tsx";
import { useOpen } from "./expanded-rows.tsx";

interface DiffLine {
  readonly kind: "added" | "removed" | "same" | "gap" | "note";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

export function diffLines(rows: readonly DiffRow[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffSide[] = [];
  const settle = (): void => {
    for (const { text, number } of added) lines.push({ kind: "added", text, after: number });
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "changed") {
      if (row.left !== undefined) lines.push({ kind: "removed", text: row.left.text, before: row.left.number });
      if (row.right !== undefined) added.push(row.right);
      continue;
    }
    settle();
    if (row.kind === "same")
      lines.push({ kind: "same", text: row.left.text, before: row.left.number, after: row.right.number });
    else lines.push({ kind: row.kind, text: row.text });
  }
  settle();
  return lines;
}

/** Diffs in one or two columns; kept in this browser. */
const diffLook = createStore<"unified" | "split">(readKept("diff") === "split" ? "split" : "unified");

const mostRows = 200;

interface DiffViewProps {
  readonly diff: string;
  readonly path: string;
  readonly file?: string | undefined;
  readonly narrow?: boolean | undefined;
}

export function DiffView({ diff, path, file = "", narrow = false }: DiffViewProps) {
  const look = useStore(diffLook);
  const rows = useMemo(() => sideBySide(diff), [diff]);
  const [whole, setWhole] = useOpen(`${path}:whole-diff`);
  const language = languageOfFile(file);
  const shown = whole ? rows : rows.slice(0, mostRows);
  const hidden = rows.length - shown.length;
  return (
    <div className="diff">
      {!narrow && (
        <div className="diff-tools" role="group" aria-label="Diff view">
          {(["unified", "split"] as const).map((one) => (
            <button
              key={one}
              type="button"
              className="diff-look"
              aria-pressed={look === one}
              onClick={() => {
                diffLook.set(one);
                keep("diff", one);
              }}
            >
              {one === "unified" ? "Unified" : "Side by side"}
            </button>
          ))}
        </div>
      )}
      <div className="diff-scroll" tabIndex={0} role="region" aria-label={narrow ? `Diff of ${file}` : "Diff"}>
        {look === "split" && !narrow ? (
          <SplitDiff rows={shown} language={language} />
        ) : (
          <UnifiedDiff rows={shown} language={language} />
        )}
      </div>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(true)}>
          Show {hidden} more lines
        </Button>
      )}
    </div>
  );
}

const signs = { added: "+", removed: "−", same: "", gap: "", note: "" } as const;

function UnifiedDiff({ rows, language }: { readonly rows: readonly DiffRow[]; readonly language: string }) {
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

function SplitDiff({ rows, language }: { readonly rows: readonly DiffRow[]; readonly language: string }) {
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
