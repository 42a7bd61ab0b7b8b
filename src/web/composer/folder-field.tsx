import { useId } from "react";
import { useMe } from "../state/me.ts";
import { Icon } from "../ui/icon.tsx";

interface FolderFieldProps {
  readonly value: string;
  readonly folders: readonly string[];
  readonly onChange: (folder: string) => void;
}

/** The folder to work in: one that is known, or another by its path. */
export function FolderField({ value, folders, onChange }: FolderFieldProps) {
  const id = useId();
  const roots = useMe()?.roots ?? [];
  return (
    <div className="folder-field">
      <label htmlFor={id}>
        <Icon name="folder" size={14} />
        <span>Folder</span>
      </label>
      <input
        id={id}
        type="text"
        list={`${id}-known`}
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder="/path/to/a/project"
        aria-describedby={roots.length === 0 ? undefined : `${id}-roots`}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-known`}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      {roots.length > 0 && (
        <small id={`${id}-roots`}>
          Within <bdi>{roots.join(", ")}</bdi>
        </small>
      )}
    </div>
  );
}
