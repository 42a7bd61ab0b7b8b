import { useEffect } from "react";
import type { RefObject } from "react";
import { classes } from "../ui/classes.ts";
import { Popup } from "../ui/popup.tsx";
import type { Command } from "./commands.ts";

interface CommandListProps {
  readonly id: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly commands: readonly Command[];
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (command: Command) => void;
  readonly onClose: () => void;
}

/** The commands of the agent that fit what is written; the keys stay in the field. */
export function CommandList({ id, anchor, commands, at, onPoint, onChoose, onClose }: CommandListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  return (
    <Popup anchor={anchor} onClose={onClose}>
      <div id={id} role="listbox" aria-label="Commands of the agent" className="options-list commands">
        {commands.map((command, index) => (
          <div
            key={command.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes("option", index === at && "active")}
            onPointerMove={() => onPoint(index)}
            onPointerDown={(event) => {
              // The field keeps the focus.
              event.preventDefault();
              onChoose(command);
            }}
          >
            <span className="option-words">
              <code>/{command.name}</code>
              {command.description !== undefined && <small dir="auto">{command.description}</small>}
            </span>
          </div>
        ))}
      </div>
    </Popup>
  );
}
