/** Bundles our code into few files: for the package, and for the command that the tests start. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown, type OutputChunk, type OutputOptions, type Plugin } from "rolldown";
import { chunkGroups } from "./chunks.ts";

export type BundledFile = Pick<OutputChunk, "fileName" | "code">;
type Entries = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, "../..");
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
  "dependencies" | "peerDependencies",
  object
>;

/**
 * Replaces two Node modules: one is available as a global, and the command-line parser never uses the other. Importing them loads much
 * unneeded code.
 */
const nodeBuiltins: Plugin = {
  name: "node-builtins",
  resolveId(id, importer = "") {
    if (!id.startsWith("node:")) return undefined;
    const isLeftOut = id === "node:process" || (id === "node:child_process" && importer.includes("commander"));
    return isLeftOut ? `\0${id}` : { id, external: true };
  },
  load: (id) =>
    ({ "\0node:process": "export default globalThis.process;", "\0node:child_process": "export default {};" })[id],
};

export function bundleLibrary(entries: Entries): Promise<BundledFile[]> {
  return bundled(entries, { format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
}

/**
 * Bundles as CommonJS, which loads faster: an ES module that imports `node:fs` loads all of its exports, and every import takes extra
 * steps.
 */
export function bundleCommand(entries: Entries): Promise<BundledFile[]> {
  const names = { entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" };
  return bundled(entries, { format: "cjs", ...names, dynamicImportInCjs: false }, chunkGroups);
}

async function bundled(input: Entries, files: OutputOptions, groupsOf?: typeof chunkGroups): Promise<BundledFile[]> {
  await using bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    plugins: [nodeBuiltins],
    // The `paths` in tsconfig lead to declarations, which only the compiler can use.
    tsconfig: false,
    // The main file of this package requires its parts at run time, which no bundler can follow.
    resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
    preserveEntrySignatures: "allow-extension",
    // The check warns of dynamic imports that are loaded statically elsewhere, which is intended here.
    checks: { ineffectiveDynamicImport: false },
  });
  const made = async (options: OutputOptions): Promise<OutputChunk[]> =>
    (await bundle.generate(options)).output.filter((file) => file.type === "chunk");
  const first = await made(files);
  const codeSplitting = groupsOf && { groups: groupsOf(first), includeDependenciesRecursively: false };
  const chunks = codeSplitting === undefined ? first : await made({ ...files, codeSplitting });
  return chunks.map(({ fileName, code }) => ({ fileName, code: ascii(code) }));
}

/** Escapes non-ASCII characters: a single one makes Node store and parse the whole file as two-byte text. */
function ascii(code: string): string {
  // In these places an escape would change the meaning.
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code))
    throw new Error(
      "The bundle contains a non-ASCII character where it cannot be escaped: after a backslash or in String.raw.",
    );
  return code.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
