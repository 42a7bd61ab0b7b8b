import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { acpArguments, mayLook, mcpConfigOf } from "./launch.ts";
import { environmentOf, withoutLoader } from "./program.ts";

const read = "--available-tools=view,grep,glob,web_fetch,web_search";

test.each([
  ["nothing", {}, []],
  ["read", { mode: "read" }, [read]],
  [
    "allowed tools",
    { tools: { allowed: ["shell(git *)", "edit", "web_fetch", "toy(say)"] } },
    ["--allow-tool=shell(git:*)", "--allow-tool=write", "--allow-tool=url", "--allow-tool=toy(say)"],
  ],
  [
    "disallowed tools",
    { tools: { disallowed: ["web_fetch", "shell(rm *)", "create"] } },
    ["--excluded-tools=web_fetch", "--excluded-tools=create", "--deny-tool=shell(rm:*)"],
  ],
  ["further arguments", { extraArgs: ["--no-color"] }, ["--no-color"]],
] as const)("converts options for ACP: %s", (_, options, args) => {
  expect(acpArguments({ mode: "ask", ...options })).toEqual(["--acp", ...args]);
});

test("names the file of MCP servers on the command line", () => {
  expect(acpArguments({ mode: "read" }, { mcpConfig: "/f" })).toEqual(["--acp", read, "--additional-mcp-config=@/f"]);
});

test.each(["--yolo", "--allow-all-tools", "--mode=autopilot", "--available-tools=bash"])("rejects %s", (argument) => {
  expect(() => acpArguments({ mode: "ask", extraArgs: [argument] })).toThrow(
    `Reins cannot control GitHub Copilot's tools with the argument ${argument}.`,
  );
});

test("passes its own variables, none that lets it run without asking, and none of an outer session", () => {
  const env = {
    PATH: "/bin",
    COPILOT_MODEL: "m",
    COPILOT_ALLOW_ALL: "true",
    COPILOT_CLI: "1",
    GH_TOKEN: "t",
    OPENAI_API_KEY: "k",
  };
  expect(environmentOf(env, { A: "b" }, { instructions: "/i/x.instructions.md" })).toEqual({
    PATH: "/bin",
    COPILOT_MODEL: "m",
    GH_TOKEN: "t",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_CUSTOM_INSTRUCTIONS_DIRS: "/i",
    A: "b",
  });
  const more = environmentOf({ COPILOT_CUSTOM_INSTRUCTIONS_DIRS: "/mine" }, {}, { instructions: "/i/x" });
  expect(more["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"]).toBe("/mine,/i");
  expect(() => environmentOf({}, { COPILOT_ALLOW_ALL: "1" })).toThrow("the variable COPILOT_ALLOW_ALL");
});

test("converts MCP servers to its file format", () => {
  const servers = { a: { command: "x", env: { K: "v" } }, b: { type: "http", url: "https://b" } } as const;
  expect(JSON.parse(mcpConfigOf(servers))).toEqual({
    mcpServers: {
      a: { type: "local", command: "x", args: [], env: { K: "v" }, tools: ["*"] },
      b: { type: "http", url: "https://b", tools: ["*"] },
    },
  });
});

test("allows reading in a further folder, also through links, and nowhere else", () => {
  const [folder, other] = [testFolder(), testFolder()];
  writeFileSync(join(folder, "a.txt"), "");
  writeFileSync(join(other, "secret.txt"), "");
  symlinkSync(join(other, "secret.txt"), join(folder, "link.txt"));
  const may = (path: string, tool: "read" | "write" = "read") =>
    mayLook({ tool, nativeName: "view", input: { path } }, [folder]);
  expect(may(join(folder, "a.txt"))).toBe(true);
  expect(may(join(folder, "a.txt"), "write")).toBe(false);
  for (const path of ["link.txt", "none.txt", "../x"]) expect(may(join(folder, path))).toBe(false);
  expect(may("a.txt")).toBe(false);
});

test("starts the binary of the npm package instead of its loader", async () => {
  const folder = testFolder();
  const made = (...path: string[]) => {
    const file = join(folder, ...path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "", { mode: 0o755 });
    return file;
  };
  const loader = made("@github", "copilot", "npm-loader.js");
  mkdirSync(join(folder, ".bin"));
  symlinkSync(loader, join(folder, ".bin", "copilot"));
  const command = { path: "copilot", args: ["--x"] };
  const env = { PATH: join(folder, ".bin") };
  expect(await withoutLoader(command, env)).toEqual(command);
  const binary = made("@github", `copilot-${process.platform}-${process.arch}`, "copilot");
  expect(await withoutLoader(command, env)).toEqual({ path: binary, args: ["--x"] });
  expect(await withoutLoader({ path: binary, args: [] }, env)).toEqual({ path: binary, args: [] });
  expect(await withoutLoader({ path: "nowhere", args: [] }, env)).toEqual({ path: "nowhere", args: [] });
});
