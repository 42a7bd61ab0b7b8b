/** A patch of several files, file by file. Pure. */
export interface PatchFile {
  readonly path: string;
  readonly diff: string;
}

export function patchFiles(patch: string): readonly PatchFile[] {
  const files: PatchFile[] = [];
  // Within a hunk every line begins with a sign or a space: this one is always the beginning of a file.
  for (const part of patch.split(/^(?=diff --git )/m)) {
    if (part.trim() === "") continue;
    files.push({ path: pathOf(part), diff: part });
  }
  return files;
}

/** Where it is now, or where it was when it is gone. */
function pathOf(part: string): string {
  const named = (sign: string): string | undefined => {
    const [, name] = new RegExp(`^${sign} (.+?)\\t?$`, "m").exec(part) ?? [];
    return name === undefined || name === "/dev/null" ? undefined : plain(name);
  };
  const [, moved] = /^rename to (.+)$/m.exec(part) ?? [];
  // A file without lines, such as an image, is only named in the first line, as `a/x b/x`.
  const [, head = ""] = /^diff --git (.*)$/m.exec(part) ?? [];
  return named("\\+\\+\\+") ?? named("---") ?? moved ?? plain(head.slice(Math.ceil(head.length / 2)));
}

/** Git puts odd names in quotes, and `a/` or `b/` before each. */
function plain(name: string): string {
  const [, inside = name] = /^"(.*)"$/.exec(name.trim()) ?? [];
  return inside.replace(/^[ab]\//, "");
}
