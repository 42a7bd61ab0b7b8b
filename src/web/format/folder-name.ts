/** The last part of a path, or of a repository's address: what people call it. */
export function folderName(path: string): string {
  const parts = path
    .replace(/\.git$/, "")
    .split(/[\\/]/)
    .filter((part) => part !== "");
  return parts.at(-1) ?? path;
}
