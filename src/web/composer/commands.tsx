import { useId, useState, type KeyboardEvent, type RefObject } from "react";
import { completeSlash, slashCommands, type OwnCommand, type SlashCompletion } from "../../view/slash/commands.ts";
import { Suggestions } from "../ui/select.tsx";

/** The slash command being typed, with its slash or slashes; undefined when there is none. */
export function commandWord(text: string): string | undefined {
  return /^\/\S*$/.test(text) ? text : undefined;
}

const most = 50;

/** Completion list for the commands of Reins and of the agent. */
export function useCommands(
  own: readonly OwnCommand[] | undefined,
  text: string,
  onText: (text: string) => void,
  anchor: RefObject<HTMLElement | null>,
) {
  const id = useId();
  const [wanted, setAt] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const word = commandWord(text);
  const found =
    word === undefined || dismissed === text ? [] : completeSlash(word, { own, where: "page" }).slice(0, most);
  const open = found.length > 0 && found[0]?.text !== word;
  const at = Math.min(wanted, found.length - 1);
  const choose = ({ text: chosen }: SlashCompletion): void => {
    onText(`${chosen} `);
    setAt(0);
  };

  /** Call this first for every key. `taken`: the list handled the key. `run`: the key chose a command that can run now. */
  const onKeyDown = (event: KeyboardEvent): "taken" | { readonly run: string } | undefined => {
    const chosen = found[at];
    if (!open || chosen === undefined) return undefined;
    const isEnter = event.key === "Enter" && !event.shiftKey;
    if (event.key === "ArrowDown") setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp") setAt((at - 1 + found.length) % found.length);
    else if (isEnter && runsAtOnce(chosen)) {
      event.preventDefault();
      return { run: chosen.text };
    } else if (event.key === "Tab" || isEnter) choose(chosen);
    else if (event.key === "Escape") setDismissed(text);
    else return undefined;
    event.preventDefault();
    event.stopPropagation();
    return "taken";
  };

  return {
    onKeyDown,
    list: open && (
      <Suggestions
        id={id}
        label="Commands"
        className="commands"
        anchor={anchor}
        options={found}
        at={at}
        isSelected={(_, index) => index === at}
        onPoint={setAt}
        onChoose={choose}
        onClose={() => setDismissed(text)}
      >
        {({ text: typed, hint, description, whose }) => (
          <span className="option-words">
            <span className="option-label">
              <code>{typed}</code>
              {hint !== "" && <span className="command-hint">{hint}</span>}
              {whose === "agent" && <span className="command-whose">sent to the agent</span>}
            </span>
            {description !== "" && <small dir="auto">{description}</small>}
          </span>
        )}
      </Suggestions>
    ),
    field: open
      ? { role: "combobox", "aria-expanded": true, "aria-controls": id, "aria-activedescendant": `${id}-${at}` }
      : {},
  };
}

/** True for commands of Reins that need no argument. The agent's own commands wait for text that the person adds. */
export function runsAtOnce({ name, whose }: Pick<SlashCompletion, "name" | "whose">): boolean {
  return whose === "reins" && slashCommands.find((command) => command.name === name)?.hint.startsWith("<") !== true;
}
