import { useMemo } from "react";
import { sideBySide } from "../../view/side-by-side.ts";
import { Button } from "../ui/button.tsx";
import { setDiffLook, useDiffLook } from "./diff-look.ts";
import { useOpen } from "./openness.ts";
import { SplitDiff } from "./split-diff.tsx";
import { UnifiedDiff } from "./unified-diff.tsx";

/** More is shown to who asks. */
const mostRows = 200;

export function DiffView({ diff, path }: { readonly diff: string; readonly path: string }) {
  const look = useDiffLook();
  const rows = useMemo(() => sideBySide(diff), [diff]);
  const [whole, setWhole] = useOpen(`${path}:whole-diff`);
  const shown = whole ? rows : rows.slice(0, mostRows);
  const hidden = rows.length - shown.length;
  return (
    <div className="diff">
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
      <div className="diff-scroll" tabIndex={0} role="region" aria-label="Difference">
        {look === "split" ? <SplitDiff rows={shown} /> : <UnifiedDiff rows={shown} />}
      </div>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(true)}>
          Show {hidden} more lines
        </Button>
      )}
    </div>
  );
}
