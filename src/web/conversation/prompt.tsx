import { oneLine, printable } from "../../events/printable.ts";
import type { InputItem, TurnEntry } from "../../view/model.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { attachmentName } from "./attachment-name.ts";
import { headOf } from "./head-of.ts";
import { useOpen } from "./openness.ts";

/** A prompt may be a whole file. */
const mostLines = 14;

type Input = NonNullable<TurnEntry["input"]> | InputItem;

const meanwhile = { steer: "While it worked", queue: "Queued" } as const;

interface PromptProps {
  readonly input: Input;
  readonly how?: InputItem["how"];
  readonly path: string;
}

/** What the person said. */
export function Prompt({ input, how, path }: PromptProps) {
  const { text, attachments = [] } = input;
  return (
    <div className="prompt">
      <div className="prompt-bubble">
        <span className="sr-only">You said: </span>
        {how !== undefined && <p className="prompt-how">{meanwhile[how]}</p>}
        {text !== "" && <PromptText text={text} path={path} />}
        {attachments.length > 0 && (
          <ul className="chips" aria-label="Attachments">
            {attachments.map(({ kind, name }, index) => (
              <li key={`${name}:${index}`} className="chip">
                <Icon name={kind === "image" ? "image" : "file"} size={14} />
                <bdi>{oneLine(attachmentName(name))}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function PromptText({ text, path }: { readonly text: string; readonly path: string }) {
  const [whole, setWhole] = useOpen(`${path}:whole`);
  const said = printable(text);
  const { head, hidden } = headOf(said, mostLines);
  return (
    <>
      <p className="prompt-text" dir="auto">
        {whole ? said : head}
      </p>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show all of it"}
        </Button>
      )}
    </>
  );
}
