/** How our code becomes few files: for the package, and for the command that the tests start. */
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

/** Of Node's modules two are left out: one is there anyway, the other is never used by the parser of commands. As modules they load much that nobody needs. */
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

/** As modules, for who imports them. */
export function bundleLibrary(entries: Entries): Promise<BundledFile[]> {
  return bundled(entries, { format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
}

/** In CommonJS, which is loaded faster: a module that imports `node:fs` loads all that is in it, and each import takes its steps. */
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
    // Its paths lead to declarations, for the compiler alone.
    tsconfig: false,
    // Its usual file finds its parts while it runs, which no bundler can follow.
    resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
    preserveEntrySignatures: "allow-extension",
    // It says what is loaded later in vain, because something else needs it at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const made = async (options: OutputOptions): Promise<OutputChunk[]> =>
    (await bundle.generate(options)).output.filter((file) => file.type === "chunk");
  const first = await made(files);
  const codeSplitting = groupsOf && { groups: groupsOf(first), includeDependenciesRecursively: false };
  const chunks = codeSplitting === undefined ? first : await made({ ...files, codeSplitting });
  return chunks.map(({ fileName, code }) => ({ fileName, code: ascii(code) }));
}

/** The same with other letters escaped: one of them in a file makes Node keep and read all of it as text twice as long. */
function ascii(code: string): string {
  // There an escape would be read as it stands.
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code))
    throw new Error("A letter that cannot be escaped stands in the code.");
  return code.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
