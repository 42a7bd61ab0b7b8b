import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useMe } from "../state/me.ts";
import { classes } from "../ui/classes.ts";
import { Icon } from "../ui/icon.tsx";
import { Popup } from "../ui/popup.tsx";
import { folderName, offeredFolders, pathToComplete } from "./folders.ts";
import { useSubfolders } from "./use-subfolders.ts";

interface FolderFieldProps {
  readonly value: string;
  readonly folders: readonly string[];
  readonly onChange: (folder: string) => void;
}

/** The folder to work in: one that is known, or another by its path, which is completed while it is typed. */
export function FolderField({ value, folders, onChange }: FolderFieldProps) {
  const id = useId();
  // Who is in the only one there is need not be told of it.
  const all = useMe()?.roots ?? [];
  const roots = all.filter((root) => all.length > 1 || root !== value);
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  /** Until something is typed all of them are offered, whatever stands there. */
  const [typed, setTyped] = useState(false);
  const [at, setAt] = useState(-1);
  const below = useSubfolders(open && typed ? pathToComplete(value, folders, all) : undefined);
  const offered = typed ? offeredFolders(value, folders, below) : folders;
  const shown = open && offered.length > 0;

  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  const close = (): void => {
    setOpen(false);
    setTyped(false);
    setAt(-1);
  };
  const choose = (folder: string): void => {
    onChange(folder);
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = offered[at];
    if (event.key === "ArrowDown") {
      setOpen(true);
      setAt((at + 1) % Math.max(1, offered.length));
    } else if (event.key === "ArrowUp") {
      setOpen(true);
      setAt(at <= 0 ? offered.length - 1 : at - 1);
    } else if (event.key === "Enter" && shown && chosen !== undefined) choose(chosen);
    else if (event.key === "Escape" && shown) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="folder-field">
      <label htmlFor={id}>
        <Icon name="folder" size={14} />
        <span>Folder</span>
      </label>
      <input
        ref={field}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={shown}
        aria-controls={shown ? `${id}-list` : undefined}
        aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        aria-describedby={roots.length === 0 ? undefined : `${id}-roots`}
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder="/path/to/a/project"
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(true);
          setOpen(true);
          setAt(-1);
          onChange(event.target.value);
        }}
      />
      {shown && (
        <Popup anchor={field} onClose={close}>
          <div id={`${id}-list`} role="listbox" aria-label="Folders" className="options-list folders">
            {offered.map((folder, index) => (
              <div
                key={folder}
                id={`${id}-${index}`}
                role="option"
                aria-selected={folder === value}
                className={classes("option", index === at && "active")}
                onPointerMove={() => setAt(index)}
                onPointerDown={(event) => {
                  // The field keeps the focus.
                  event.preventDefault();
                  choose(folder);
                }}
              >
                <span className="option-check">{folder === value && <Icon name="check" size={14} />}</span>
                <span className="option-words">
                  <bdi>{folderName(folder)}</bdi>
                  <small>
                    <bdi>{folder}</bdi>
                  </small>
                </span>
              </div>
            ))}
          </div>
        </Popup>
      )}
      {roots.length > 0 && (
        <small id={`${id}-roots`}>
          Within <bdi>{roots.join(", ")}</bdi>
        </small>
      )}
    </div>
  );
}
