/**
 * Builds `dist` from `src`: declarations file by file, and the code in few chunks. Loading hundreds of small files takes longer than a
 * short command.
 */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCommand, bundleLibrary } from "./lib/bundle.ts";
import { must, root } from "./lib/command.js";
import { documented, fieldComments } from "./lib/document-types.js";
import { filesUnder } from "./lib/files.js";

rmSync(join(root, "dist"), { recursive: true, force: true });
await must("tsc", ["-p", "tsconfig.build.json"]);

/**
 * All entries go into one folder, whatever their source folder: a program that is started by its path is found beside the file that starts
 * it.
 */
const library = {
  index: "dist/index.js",
  store: "dist/store/index.js",
  client: "dist/client/index.js",
  testing: "dist/testing/index.js",
  "guardian-main": "dist/process/stop/guardian-main.js",
  "terminal-holder-main": "dist/protocols/pty/terminal-holder-main.js",
  "mcp-server-main": "dist/testing/mcp-server-main.js",
};
const command = { cli: "dist/cli/main.js" };
const outputs = [...(await bundleLibrary(library)), ...(await bundleCommand(command))];
for (const file of filesUnder("dist")) if (file.endsWith(".js")) rmSync(join(root, file));
for (const { fileName, code } of outputs) writeFileSync(join(root, "dist", fileName), code);
const bundledPackages = [
  "@xterm/headless",
  "commander",
  "diff",
  "fast-string-width",
  "highlight.js",
  "html-to-text",
  "jsonc-parser",
  "markdown-it",
].concat(["react", "react-dom", "smol-toml", "virtua", "yaml"]);
writeFileSync(join(root, "dist", "LICENSES.txt"), licenses(bundledPackages));

const schemas = filesUnder("src/events/schema").filter((file) => !file.endsWith(".test.ts"));
const comments = fieldComments(schemas.map((file) => readFileSync(join(root, file), "utf8")));
for (const file of schemas) {
  const declarations = join(root, file.replace(/^src/, "dist").replace(/\.ts$/, ".d.ts"));
  writeFileSync(declarations, documented(readFileSync(declarations, "utf8"), comments));
}

await must("vite", ["build", "--logLevel", "warn"]);

/** The licenses of all packages bundled into `dist`, including those of the web page. */
function licenses(packages) {
  const licenseOf = (name) => {
    const folder = join(root, "node_modules", name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) return licenseInPackage(name, folder);
    return `${name.replace(/.*node_modules\//, "")}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  };
  const found = new Set();
  for (const name of packages) addWithDependencies(name, found);
  return [...found]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map(licenseOf)
    .join("\n----\n\n");
}

/** For a package without a license file: the kind of license and where its text is. */
function licenseInPackage(name, folder) {
  const { license, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name}\n\n${license}, by the authors of ${repository.url ?? repository}, where its text is.\n`;
}

/** Adds a package and its dependencies, which are bundled with it. npm may put a dependency below the package that needs it. */
function addWithDependencies(name, found) {
  if (found.has(name)) return;
  found.add(name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  for (const needed of Object.keys(dependencies)) {
    const nested = `${name}/node_modules/${needed}`;
    addWithDependencies(existsSync(join(root, "node_modules", nested)) ? nested : needed, found);
  }
}
