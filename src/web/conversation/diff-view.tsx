import { useMemo } from "react";
import { languageOfFile } from "../../view/highlight/index.ts";
import { sideBySide } from "../../view/side-by-side.ts";
import { Button } from "../ui/button.tsx";
import { setDiffLook, useDiffLook } from "./diff-look.ts";
import { useOpen } from "./openness.ts";
import { SplitDiff } from "./split-diff.tsx";
import { UnifiedDiff } from "./unified-diff.tsx";

/** More is shown to who asks. */
const mostRows = 200;

interface DiffViewProps {
  readonly diff: string;
  readonly path: string;
  /** The name of the file it is of, where there is one. */
  readonly file?: string | undefined;
  /** There is no room for two columns. */
  readonly narrow?: boolean | undefined;
}

export function DiffView({ diff, path, file = "", narrow = false }: DiffViewProps) {
  const look = useDiffLook();
  const rows = useMemo(() => sideBySide(diff), [diff]);
  const [whole, setWhole] = useOpen(`${path}:whole-diff`);
  const language = languageOfFile(file);
  const shown = whole ? rows : rows.slice(0, mostRows);
  const hidden = rows.length - shown.length;
  return (
    <div className="diff">
      {!narrow && (
        <div className="diff-tools" role="group" aria-label="How the difference is shown">
          {(["unified", "split"] as const).map((one) => (
            <button
              key={one}
              type="button"
              className="diff-look"
              aria-pressed={look === one}
              onClick={() => setDiffLook(one)}
            >
              {one === "unified" ? "Unified" : "Side by side"}
            </button>
          ))}
        </div>
      )}
      <div
        className="diff-scroll"
        tabIndex={0}
        role="region"
        aria-label={narrow ? `Difference of ${file}` : "Difference"}
      >
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
