import { useId } from "react";
import { boxText } from "../../view/slash/box.ts";
import { Button, IconButton, Spinner } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { dismissBox, useBoxes, type ShownBox } from "./boxes.ts";
import "./slash-box.css";

/** The answer to a slash command. It has the text of the terminal, in a monospace font, so that columns align. */
export function SlashBox({ shown }: { readonly shown: ShownBox }) {
  const heading = useId();
  const { id, box, pending, actions } = shown;
  return (
    <section className="slash-box" aria-labelledby={heading} aria-busy={pending || undefined}>
      <header>
        <h2 id={heading} dir="auto">
          {box.title}
        </h2>
        {pending ? (
          <Spinner />
        ) : (
          <>
            <CopyButton text={() => boxText(box)} label="Copy answer" />
            <IconButton icon="close" label="Dismiss" size="small" tipAt="below-end" onClick={() => dismissBox(id)} />
          </>
        )}
      </header>
      {box.lines.length > 0 && (
        <pre>
          {box.lines.map((parts, line) => (
            <span key={line} className="slash-line">
              {parts.map(({ text, style }, index) => (
                <span key={index} className={`slash-${style}`}>
                  {text}
                </span>
              ))}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
      {actions.length > 0 && (
        <footer>
          {actions.map(({ label, run }) => (
            <Button key={label} size="small" onClick={run}>
              {label}
            </Button>
          ))}
        </footer>
      )}
    </section>
  );
}

/** Boxes of a screen without a conversation. */
export function SlashBoxes({ place }: { readonly place: string }) {
  const boxes = useBoxes(place);
  if (boxes.length === 0) return null;
  return (
    <div className="slash-boxes">
      {boxes.map((shown) => (
        <SlashBox key={shown.id} shown={shown} />
      ))}
    </div>
  );
}
