import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root } from "./source.ts";

/** All files and builtins that Node loads when it imports a file. */
function loadedBy(file: string): { files: string[]; builtins: string[] } {
  const script = `
    import { registerHooks } from "node:module";
    const before = new Set(process.moduleLoadList);
    const files = [];
    registerHooks({ resolve(name, context, next) { const found = next(name, context); files.push(found.url); return found; } });
    await import(${JSON.stringify(pathToFileURL(join(root, file)).href)});
    const builtins = process.moduleLoadList.filter((name) => !before.has(name));
    process.stdout.write(JSON.stringify({ files, builtins }));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: root, encoding: "utf8" });
  return JSON.parse(output) as { files: string[]; builtins: string[] };
}

const heavy =
  /node_modules\/(zod|ink|react|yoga[^/]*|hono|@hono|ws|pino|bullmq|ioredis|redis|commander|@lydell|node-pty|@xterm|ai|@ai-sdk)\//;
const rooms = /\/src\/(server|store|tui|web|cli|bridges|fleet|testing|events\/schema)\//;

test("the root entry loads no PTY, terminal interface, server, database or schemas", () => {
  const { files, builtins } = loadedBy("src/index.ts");
  expect(files.filter((url) => heavy.test(url) || rooms.test(url))).toEqual([]);
  expect(files.filter((url) => /^node:(sqlite|http|https|http2|net|tls|readline|tty)/.test(url))).toEqual([]);
  expect(builtins.filter((name) => /NativeModule (sqlite|http|https|http2)$/.test(name))).toEqual([]);
});

test("the root entry loads no agent before it is used", () => {
  const { files } = loadedBy("src/index.ts");
  expect(files.some((url) => url.endsWith("/src/agents/index.ts"))).toBe(true);
  // Model names and prices are needed before an agent is chosen.
  const isModelData = /\/(models|shared\/model-name|shared\/model-list(\.generated)?)\.ts$/;
  const early = files.filter((url) => /\/src\/(agents\/[^/]+|protocols)\//.test(url) && !isModelData.test(url));
  expect(early).toEqual([]);
});

test("the client loads nothing of Node, the server or other packages", () => {
  const { files } = loadedBy("src/client/index.ts");
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((url) => !/\/src\/(client|events)\//.test(url))).toEqual([]);
});

test("a command that a server handles loads no agent, no store and nothing heavy", () => {
  const { files, builtins } = loadedBy("src/cli/server-connection/remote.ts");
  // undici takes half the time of a short command, and node:http is enough here.
  expect(builtins.filter((name) => name.includes("undici"))).toEqual([]);
  expect(files.filter((url) => heavy.test(url) || /\/src\/(store|agents|protocols|view)\//.test(url))).toEqual([]);
  expect(files.some((url) => url.endsWith("/core/reins.ts") || url.endsWith("/server/start.ts"))).toBe(false);
});

test("the listing finds loaded files", () => {
  expect(loadedBy("src/events/schema/index.ts").files.some((url) => heavy.test(url))).toBe(true);
});
