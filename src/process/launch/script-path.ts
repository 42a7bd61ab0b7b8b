import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the path of a script next to the module `url`: TypeScript in the repository, JavaScript in the package, which has only one
 * folder.
 */
export function scriptBeside(url: string, name: string): string {
  const extension = extname(url) === ".ts" ? ".ts" : ".js";
  return fileURLToPath(new URL(`./${name}${extension}`, url));
}
