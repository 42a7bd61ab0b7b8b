import { useId, useState } from "react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { CommandList } from "./command-list.tsx";
import { commandWord, matching } from "./commands.ts";
import type { Command } from "./commands.ts";

export interface Completion {
  /** To be asked first about a key; true where it took it. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly list: ReactNode;
  /** For the field. */
  readonly field: Readonly<Record<string, string | boolean | undefined>>;
}

/** Completes a slash command while it is written. */
export function useCommands(
  commands: readonly Command[] | undefined,
  text: string,
  onText: (text: string) => void,
  anchor: RefObject<HTMLElement | null>,
): Completion {
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
      <CommandList
        id={id}
        anchor={anchor}
        commands={found}
        at={at}
        onPoint={setAt}
        onChoose={choose}
        onClose={() => setDismissed(text)}
      />
    ),
    field: open
      ? { role: "combobox", "aria-expanded": true, "aria-controls": id, "aria-activedescendant": `${id}-${at}` }
      : {},
  };
}
