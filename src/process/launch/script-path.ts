import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a script of Reins beside the module `url`: TypeScript in the repository, JavaScript in the package, which has one folder. */
export function scriptBeside(url: string, name: string): string {
  const extension = extname(url) === ".ts" ? ".ts" : ".js";
  return fileURLToPath(new URL(`./${name}${extension}`, url));
}
