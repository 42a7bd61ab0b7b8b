import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { Place } from "../../../../test/support/command.ts";
import { scriptOf, shells } from "./completion.ts";
import { createProgram } from "../../program.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const program = await createProgram({ ending: new AbortController().signal, finish: () => undefined });

/** All subcommands of a command, with their paths. */
function commands(command: Command, path: readonly string[] = []): [path: readonly string[], command: Command][] {
  return command.commands.flatMap((one) => {
    const inner = [...path, one.name()];
    return [[inner, one], ...commands(one, inner)] as [readonly string[], Command][];
  });
}

test.each(shells)("%s completes every command and every option", async (shell) => {
  const script = await scriptOf(program, shell);
  const all = commands(program);
  expect(all.length).toBeGreaterThan(15);
  const missing = all.flatMap(([path, command]) => {
    const lines = script.split("\n").filter((line) => line.includes(path.join(" ")));
    const words = command.options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ short, long }) => [short, long].filter((flag) => typeof flag === "string"))
      .map((flag) => (shell === "fish" ? flag.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s ") : flag));
    const said = (word: string) => lines.some((line) => new RegExp(`[ '|"(]${word}(?![\\w-])`).test(line));
    return [
      ...(lines.length > 0 ? [] : [path.join(" ")]),
      ...words.filter((word) => !said(word)).map((word) => `${path.join(" ")} ${word}`),
    ];
  });
  expect(missing).toEqual([]);
});

describe("bash", () => {
  /** The completions that bash offers for the typed words. */
  async function offered(...typed: string[]): Promise<string[]> {
    const script = join(place.cwd, "completion.bash");
    writeFileSync(script, await scriptOf(program, "bash"));
    const reins = join(place.cwd, "reins");
    writeFileSync(reins, `#!/bin/sh\n[ "$1 $2" = "completion --values" ] && printf '%s\\n' "$3-one" "$3-two"\n`, {
      mode: 0o755,
    });
    const line = `set -eu; source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _reins; printf '%s\\n' "\${COMPREPLY[@]-}"`;
    const said = execFileSync("bash", ["--norc", "-c", line, "bash", reins, ...typed], {
      cwd: place.cwd,
      encoding: "utf8",
    });
    return said.split("\n").filter((word) => word !== "");
  }

  it("completes commands, options and option values", async () => {
    expect(await offered("ru")).toEqual(["run"]);
    expect(await offered("mcp", "")).toEqual(["list", "tools", "enable", "disable", "login", "-h", "--help"]);
    expect(await offered("run", "--mo")).toEqual(["--model", "--mode"]);
    expect(await offered("run", "--mode", "")).toEqual(["read", "plan", "ask", "edits", "full"]);
    expect(await offered("run", "-a", "")).toEqual(["agents-one", "agents-two"]);
    expect(await offered("run", "hello", "-m", "models-t")).toEqual(["models-two"]);
    expect(await offered("mcp", "list", "agents-o")).toEqual(["agents-one"]);
    expect(await offered("help", "comp")).toEqual(["completion"]);
    expect(await offered("export", "sess")).toEqual(["sessions-one", "sessions-two"]);
    expect(await offered("completion", "z")).toEqual(["zsh"]);
  });

  it("completes folders and files with spaces", async () => {
    mkdirSync(join(place.cwd, "a folder"));
    writeFileSync(join(place.cwd, "a file"), "");
    expect(await offered("run", "--cwd", "a ")).toEqual(["a folder"]);
    expect((await offered("run", "--file", "a ")).toSorted()).toEqual(["a file", "a folder"]);
  });
});

it("looks up names on demand, and asks for a shell", async () => {
  mkdirSync(join(place.cwd, ".reins", "agents"), { recursive: true });
  writeFileSync(join(place.cwd, ".reins", "agents", "reviewer.md"), "---\n---\n");
  const agents = await place.run(["completion", "--values", "agents"]);
  expect(agents.stdout.split("\n")).toEqual(expect.arrayContaining(["claude", "demo", "reviewer"]));
  expect(await place.run(["completion", "--values", "sessions"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const none = await place.run(["completion"]);
  expect(none).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("The name of a shell is missing."),
  });
});
