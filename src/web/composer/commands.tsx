import { useId, useState, type KeyboardEvent, type RefObject } from "react";
import { Suggestions } from "../ui/select.tsx";

export interface Command {
  readonly name: string;
  readonly description?: string | undefined;
}

/** What stands behind the slash so far; undefined where no command is being written. */
export function commandWord(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1];
}

const most = 50;

/** Those that begin with it first, then those in which it occurs. */
export function matching(commands: readonly Command[] | undefined, word: string): readonly Command[] {
  const small = word.toLowerCase();
  const found = (commands ?? []).filter(({ name }) => name.toLowerCase().includes(small));
  const first = ({ name }: Command): number => (name.toLowerCase().startsWith(small) ? 0 : 1);
  return found.toSorted((a, b) => first(a) - first(b)).slice(0, most);
}

export function useCommands(
  commands: readonly Command[] | undefined,
  text: string,
  onText: (text: string) => void,
  anchor: RefObject<HTMLElement | null>,
) {
  const id = useId();
  const [wanted, setAt] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const word = commandWord(text);
  const found = word === undefined || dismissed === text ? [] : matching(commands, word);
  const open = found.length > 0 && found[0]?.name !== word;
  const at = Math.min(wanted, found.length - 1);
  const choose = ({ name }: Command): void => {
    onText(`/${name} `);
    setAt(0);
  };

  /** To be asked first about a key; true where the list took it. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const chosen = found[at];
    if (!open || chosen === undefined) return false;
    if (event.key === "ArrowDown") setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp") setAt((at - 1 + found.length) % found.length);
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) choose(chosen);
    else if (event.key === "Escape") setDismissed(text);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    onKeyDown,
    list: open && (
      <Suggestions
        id={id}
        label="Commands of the agent"
        className="commands"
        anchor={anchor}
        options={found}
        at={at}
        isSelected={(_, index) => index === at}
        onPoint={setAt}
        onChoose={choose}
        onClose={() => setDismissed(text)}
      >
        {({ name, description }) => (
          <span className="option-words">
            <code>/{name}</code>
            {description !== undefined && <small dir="auto">{description}</small>}
          </span>
        )}
      </Suggestions>
    ),
    field: open
      ? { role: "combobox", "aria-expanded": true, "aria-controls": id, "aria-activedescendant": `${id}-${at}` }
      : {},
  };
}
