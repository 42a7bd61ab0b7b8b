/** Type-checks TypeScript blocks of the documentation, all in one run of the compiler. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../house/source.ts";

interface TypedBlock {
  readonly place: string;
  /** Where the block would be in the repository, for its relative imports. */
  readonly kind: string;
  readonly code: string;
}

/** Names that a block may use without declaring them. */
const given: Readonly<Record<string, string>> = {
  reins: `import("reins").Reins`,
  session: `import("reins").Session`,
  turn: `import("reins").Turn`,
  events: `readonly import("reins").ReinsEvent[]`,
  folder: "string",
};

/** A relative import means another block of that place, else a file of the repository. */
function moduleOf({ kind, code }: TypedBlock, blocks: readonly TypedBlock[]): string {
  const absolute = code.replaceAll(/(from |import\()"(\.[^"]+)"/g, (_, word: string, path: string) => {
    const file = join(dirname(kind), path);
    const block = blocks.findIndex((other) => other.kind === file);
    return `${word}${JSON.stringify(block < 0 ? join(root, file) : `./block-${block}.ts`)}`;
  });
  const missing = Object.entries(given).filter(([name]) => !new RegExp(`(?:const|let|using) ${name}\\b`).test(code));
  return [absolute, ...missing.map(([name, type]) => `declare const ${name}: ${type};`), "export {};", ""].join("\n");
}

/** The compiler's errors in the blocks, each with the place of its block; the files that they import are checked by `npm run check`. */
export async function typeErrorsIn(blocks: readonly TypedBlock[]): Promise<string[]> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "docs-blocks-"));
  try {
    const names = blocks.map((_, index) => `block-${index}.ts`);
    for (const [index, block] of blocks.entries())
      writeFileSync(join(folder, names[index] ?? ""), moduleOf(block, blocks));
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, incremental: false };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, files: names, include: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/.bin/tsc");
    const stdout = await promisify(execFile)(compiler, ["-p", folder, "--pretty", "false"], { cwd: root }).then(
      (done) => done.stdout,
      (error: unknown) => String(Object(error).stdout),
    );
    return stdout
      .split("\n")
      .filter((line) => /block-\d+\.ts\(\d+,\d+\): error TS/.test(line))
      .map((line) => line.replace(/^\S*?block-(\d+)\.ts/, (_, index: string) => blocks[Number(index)]?.place ?? line))
      .map((line) => line.replaceAll(root, basename(root)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
