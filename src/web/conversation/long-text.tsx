import { CopyButton } from "../ui/copy-button.tsx";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/button.tsx";
import { useOpen } from "./openness.ts";
import { headOf } from "./head-of.ts";

interface LongTextProps {
  readonly text: string;
  readonly label: string;
  readonly path: string;
  readonly className?: string | undefined;
  readonly bad?: boolean | undefined;
}

/** Text as it is: its first lines, and all of it for who asks. */
export function LongText({ text, label, path, className, bad = false }: LongTextProps) {
  const [whole, setWhole] = useOpen(`${path}:whole`);
  const { head, hidden } = headOf(text);
  return (
    <figure className={classes("long-text", className, bad && "bad")}>
      <figcaption>{label}</figcaption>
      <div className="long-text-tools">
        <CopyButton text={() => text} label={`Copy: ${label.toLowerCase()}`} />
      </div>
      <pre dir="auto" tabIndex={0} aria-label={label}>
        {whole ? text : head}
      </pre>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show ${hidden} more ${hidden === 1 ? "line" : "lines"}`}
        </Button>
      )}
    </figure>
  );
}
