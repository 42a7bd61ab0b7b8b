import { useId, useRef, useState, type KeyboardEvent } from "react";
import type { MeAnswer } from "../../server/schemas/settings.ts";
import type { FoldersAnswer } from "../../server/schemas/common.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { useTyped } from "../state/remote.ts";
import { useMe } from "../state/server.ts";
import { Icon } from "../ui/basics.tsx";
import { Suggestions } from "../ui/select.tsx";

const most = 30;

export function knownFolders(
  me: Pick<MeAnswer, "cwd" | "roots"> | undefined,
  sessions: readonly Pick<SessionSummary, "cwd">[],
): readonly string[] {
  if (me === undefined) return [];
  const all = [me.cwd, ...me.roots, ...sessions.map(({ cwd }) => cwd)].filter((folder) => isWithin(me.roots, folder));
  return [...new Set(all)].slice(0, most);
}

/** Suggestions for the typed text: known folders first, then subfolders. */
export function offeredFolders(typed: string, known: readonly string[], below: readonly string[]): readonly string[] {
  const fitting = known.filter((folder) => folder.includes(typed));
  return [...new Set([...fitting, ...below])].filter((folder) => folder !== typed);
}

/** The path to complete, if any. For a known folder its subfolders are listed without a trailing slash. */
export function pathToComplete(typed: string, known: readonly string[], roots: readonly string[]): string | undefined {
  const path = known.includes(typed) && !typed.endsWith("/") ? `${typed}/` : typed;
  return path.startsWith("/") && isWithin(roots, path.slice(0, path.lastIndexOf("/"))) ? path : undefined;
}

/** Without roots, every folder is allowed. */
export function isWithin(roots: readonly string[], folder: string): boolean {
  const within = (root: string): boolean => folder === root || folder.startsWith(`${root.replace(/\/$/, "")}/`);
  return roots.length === 0 || roots.some(within);
}

/** The last part of a path. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** Subfolders that complete a path, asked from the server. Undefined `path`: do not ask. */
function useSubfolders(path: string | undefined): readonly string[] {
  const asked = path === undefined ? undefined : `/api/folders?path=${encodeURIComponent(path)}`;
  // The last answer may be for earlier text. While the next one loads, keep the folders that still match.
  const { value } = useTyped<FoldersAnswer>(asked, 120);
  if (path === undefined) return [];
  return (value?.folders ?? []).filter((folder) => folder.toLowerCase().startsWith(path.toLowerCase()));
}

interface FolderFieldProps {
  readonly value: string;
  readonly folders: readonly string[];
  readonly onChange: (folder: string) => void;
}

/** The folder to work in: a known one, or a path that is completed while typing. */
export function FolderField({ value, folders, onChange }: FolderFieldProps) {
  const id = useId();
  // Do not mention the roots to a person who is in the only one.
  const all = useMe()?.roots ?? [];
  const roots = all.filter((root) => all.length > 1 || root !== value);
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  /** Offer all known folders until something is typed, whatever the field contains. */
  const [typed, setTyped] = useState(false);
  const [at, setAt] = useState(-1);
  const below = useSubfolders(open && typed ? pathToComplete(value, folders, all) : undefined);
  const offered = typed ? offeredFolders(value, folders, below) : folders;
  const shown = open && offered.length > 0;

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
        aria-activedescendant={shown && at >= 0 ? `${id}-list-${at}` : undefined}
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
        <Suggestions
          id={`${id}-list`}
          label="Folders"
          className="folders"
          anchor={field}
          options={offered}
          at={at}
          isSelected={(folder) => folder === value}
          onPoint={setAt}
          onChoose={choose}
          onClose={close}
        >
          {(folder) => (
            <>
              <span className="option-check">{folder === value && <Icon name="check" size={14} />}</span>
              <span className="option-words">
                <bdi>{folderName(folder)}</bdi>
                <small>
                  <bdi>{folder}</bdi>
                </small>
              </span>
            </>
          )}
        </Suggestions>
      )}
      {roots.length > 0 && (
        <small id={`${id}-roots`}>
          Within <bdi>{roots.join(", ")}</bdi>
        </small>
      )}
    </div>
  );
}
