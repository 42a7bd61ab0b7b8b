import { printable } from "../../events/printable.ts";
import type { InputItem, TurnEntry } from "../../view/model.ts";
import { Icon } from "../ui/icon.tsx";

type Input = NonNullable<TurnEntry["input"]> | InputItem;

const meanwhile = { steer: "While it worked", queue: "Queued" } as const;

/** What the person said. */
export function Prompt({ input, how }: { readonly input: Input; readonly how?: InputItem["how"] }) {
  const { text, attachments = [] } = input;
  return (
    <div className="prompt">
      <div className="prompt-bubble">
        <span className="sr-only">You said: </span>
        {how !== undefined && <p className="prompt-how">{meanwhile[how]}</p>}
        {text !== "" && (
          <p className="prompt-text" dir="auto">
            {printable(text)}
          </p>
        )}
        {attachments.length > 0 && (
          <ul className="chips" aria-label="Attachments">
            {attachments.map(({ kind, name }, index) => (
              <li key={`${name}:${index}`} className="chip">
                <Icon name={kind === "image" ? "image" : "file"} size={14} />
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
