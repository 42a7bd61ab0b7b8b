import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The path of a file of ours that is started by itself. `url` is of whoever starts it: beside it in the repository, where both are TypeScript,
 * and in the package, where the build puts all JavaScript into one folder.
 */
export function scriptBeside(url: string, name: string): string {
  const extension = extname(url) === ".ts" ? ".ts" : ".js";
  return fileURLToPath(new URL(`./${name}${extension}`, url));
}
