import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "./command.js";

/** Lists every file below the folders, relative to the repository and with slashes. A missing folder has no files. */
export function filesUnder(...folders) {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
        .sort();
    } catch (error) {
      if (error.code === "ENOENT") return [];
      throw error;
    }
  });
}
