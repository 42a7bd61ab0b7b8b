import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from "react";
import type { OwnCommand } from "../../view/slash/commands.ts";
import { classes, IconButton } from "../ui/basics.tsx";
import { AttachmentList } from "./attachments.tsx";
import { useCommands } from "./commands.tsx";
import type { Draft } from "./draft.ts";

/** `keyCode` of a key that belongs to an IME composition: such an Enter must not send. */
const composing = 229;

interface PromptBoxProps {
  readonly draft: Draft;
  readonly placeholder: string;
  /** Called on Enter; `other` with Ctrl or Command. `command` was chosen from the list and is not in the field yet. */
  readonly onSend: (other: boolean, command?: string) => void;
  readonly disabled?: boolean | undefined;
  /** Slash commands that the agent offers. */
  readonly commands?: readonly OwnCommand[] | undefined;
  /** Shown below the text, on the left; the buttons are on the right. */
  readonly pickers?: ReactNode;
  readonly buttons: ReactNode;
}

/** The prompt field. Files can be dropped and pasted into it. */
export function PromptBox(props: PromptBoxProps) {
  const { draft, placeholder, onSend, disabled = false, pickers, buttons } = props;
  const { text, setText, attachments, field } = draft;
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  useGrowing(field, text);
  const completion = useCommands(props.commands, text, setText, field);

  const onKeyDown = (event: KeyboardEvent): void => {
    const listed = completion.onKeyDown(event);
    if (listed === "taken") return;
    if (listed !== undefined) return onSend(false, listed.run);
    if (event.key !== "Enter" || event.shiftKey || event.altKey || event.keyCode === composing) return;
    event.preventDefault();
    onSend(event.ctrlKey || event.metaKey);
  };
  const attach = (event: SyntheticEvent, { files }: DataTransfer): void => {
    if (files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  };

  return (
    <div
      className={classes("prompt-box", over && "over")}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        attach(event, event.dataTransfer);
      }}
    >
      <AttachmentList attachments={attachments} />
      <textarea
        ref={field}
        className="prompt-field"
        rows={1}
        dir="auto"
        aria-label="Prompt"
        placeholder={placeholder}
        // While the prompt is empty, letters answer the pending request.
        data-empty={text === "" && attachments.all.length === 0 ? "" : undefined}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => attach(event, event.clipboardData)}
        {...completion.field}
      />
      {completion.list}
      <div className="prompt-foot">
        <IconButton
          icon="attach"
          label="Attach files"
          tipAt="above"
          disabled={disabled}
          onClick={() => chooser.current?.click()}
        />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            attachments.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <div className="prompt-pickers">{pickers}</div>
        <div className="prompt-buttons">{buttons}</div>
      </div>
      {over && (
        <div className="drop-hint" aria-hidden="true">
          Drop to attach
        </div>
      )}
    </div>
  );
}

const growsItself = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Grows the field with its text, for browsers without `field-sizing`. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const element = field.current;
    if (growsItself || element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
