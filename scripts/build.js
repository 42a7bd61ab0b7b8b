/**
 * Makes `dist` from `src`: declarations file by file, and the code in as few files as can be loaded apart. Loading hundreds of small ones takes longer
 * than a short command does.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { chunkGroups } from "./lib/chunks.js";
import { must, root } from "./lib/command.js";
import { documented, fieldComments } from "./lib/document-types.js";
import { filesUnder } from "./lib/files.js";

rmSync(join(root, "dist"), { recursive: true, force: true });
await must("tsc", ["-p", "tsconfig.build.json"]);

/** All in one folder, whatever the folders of the sources: a program that is started by its path is found beside who starts it. */
const library = {
  index: "dist/index.js",
  store: "dist/store/index.js",
  client: "dist/client/index.js",
  testing: "dist/testing/index.js",
  "guardian-main": "dist/process/guardian-main.js",
  "mcp-server-main": "dist/testing/mcp-server-main.js",
  behave: "dist/testing/stand-ins/behave.js",
  "cursor-stand-in": "dist/testing/stand-ins/cursor/cursor-stand-in.js",
};
/** In CommonJS, which is loaded faster: a module that imports `node:fs` loads all that is in it, and each import takes its steps. */
const command = { cli: "dist/cli/main.js" };
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Of Node's modules two are left out: one is there anyway, the other is never used by the parser of commands. As modules they load much that nobody needs. */
const nodeBuiltins = {
  name: "node-builtins",
  resolveId(id, importer = "") {
    if (!id.startsWith("node:")) return undefined;
    const isLeftOut = id === "node:process" || (id === "node:child_process" && importer.includes("commander"));
    return isLeftOut ? `\0${id}` : { id, external: true };
  },
  load: (id) =>
    ({ "\0node:process": "export default globalThis.process;", "\0node:child_process": "export default {};" })[id],
};
const outputs = [
  await bundled(library, { format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" }),
  await bundled(
    command,
    { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs", dynamicImportInCjs: false },
    chunkGroups,
  ),
];
for (const file of filesUnder("dist")) if (file.endsWith(".js")) rmSync(join(root, file));
for (const { fileName, code } of outputs.flat()) writeFileSync(join(root, "dist", fileName), ascii(code));
writeFileSync(join(root, "dist", "LICENSES.txt"), licenses(["commander", "react", "react-dom", "scheduler", "virtua"]));

const schemas = filesUnder("src/events/schema").filter((file) => !file.endsWith(".test.ts"));
const comments = fieldComments(schemas.map((file) => readFileSync(join(root, file), "utf8")));
for (const file of schemas) {
  const declarations = join(root, file.replace(/^src/, "dist").replace(/\.ts$/, ".d.ts"));
  writeFileSync(declarations, documented(readFileSync(declarations, "utf8"), comments));
}

await must("vite", ["build", "--logLevel", "warn"]);

async function bundled(input, files, groupsOf) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    plugins: [nodeBuiltins],
    preserveEntrySignatures: "allow-extension",
    // It says what is loaded later in vain, because something else needs it at once.
    checks: { ineffectiveDynamicImport: false },
  });
  try {
    const { output } = await bundle.generate(files);
    if (groupsOf === undefined) return output;
    const codeSplitting = { groups: groupsOf(output), includeDependenciesRecursively: false };
    return (await bundle.generate({ ...files, codeSplitting })).output;
  } finally {
    await bundle.close();
  }
}

/** The same with other letters escaped: one of them in a file makes Node keep and read all of it as text twice as long. */
function ascii(code) {
  // There an escape would be read as it stands.
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code))
    throw new Error("A letter that cannot be escaped stands in the code.");
  return code.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Of the packages that stand in `dist`, the page's among them. */
function licenses(packages) {
  const licenseOf = (name) =>
    `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8").trim()}\n`;
  return packages.map(licenseOf).join("\n----\n\n");
}
