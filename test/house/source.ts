/** The repository as text, for tests that read all of it. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const notOurs = new Set(["node_modules", "dist", "coverage", ".git"]);

/** Lists every file of the repository below a folder, relative to the root and with slashes. */
export function files(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (notOurs.has(entry.name)) return [];
    return entry.isDirectory() ? files(path) : [path];
  });
}

export function sources(): string[] {
  return files("src").filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts") && !file.includes("/fixtures/"),
  );
}

export function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g, "");
}

/** The imports of a file: our own files relative to the root, packages by name. */
export function imports(file: string): string[] {
  const found = withoutComments(read(file)).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, name]) => {
    if (name === undefined || !name.startsWith(".")) return name ?? "";
    return relative(root, resolve(root, dirname(file), name))
      .split(sep)
      .join("/");
  });
}
