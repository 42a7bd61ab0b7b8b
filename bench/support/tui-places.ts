/** Fixtures for the terminal interface: a long session and a repository of many files. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { EventBatch } from "../../src/core/log/event-batch.ts";
import type { ReinsEvent } from "../../src/events/types.ts";
import { openStore } from "../../src/store/index.ts";
import { markdownPart } from "./streamed-text.mjs";

/** Writes a session into the store, each turn a prompt and an answer. `last`: a part of the last answer. */
export function longSession(
  folder: string,
  cwd: string,
  turns: number,
): { readonly id: string; readonly last: string } {
  const id = "ses_long";
  const owner = { pid: process.pid, start: undefined, place: "bench", run: "bench" };
  using store = openStore({ folder });
  const log = store.open(id, { cwd, mode: "ask", owner });
  let seq = 0;
  for (let turn = 0; turn < turns; turn++) {
    const of = (payload: object): ReinsEvent =>
      ({
        v: 1,
        seq: ++seq,
        time: new Date().toISOString(),
        sessionId: id,
        turnId: `turn_${turn}`,
        agent: "demo",
        ...payload,
      }) as ReinsEvent;
    const words = turn === 0 ? "aardvark" : "fix";
    const end = { outcome: "done", text: "", durationMs: 1, toolCalls: 0, filesChanged: [], state: `demo:1:${id}` };
    const events = [
      of({ type: "turn.started", origin: "prompt", input: { text: `${words} number ${turn}` } }),
      of({ type: "message.completed", messageId: `m${turn}`, text: markdownPart(turn) }),
      of({ type: "turn.completed", ...end }),
    ];
    log.append(new EventBatch(events));
  }
  log.end();
  return { id, last: `Part ${turns - 1}` };
}

/** Paths without any letter of the word and, for each prefix of the word, one file with that name in `hay-1/`, `hay-2/` and so on. */
export function fileNames(count: number, word: string): readonly string[] {
  const best = Array.from(word, (_, at) => `hay-${at + 1}/${word.slice(0, at + 1)}`);
  const others = Array.from(
    { length: count - best.length },
    (_, at) => `packages/module-${at % 97}/source/needed/handler-${Math.floor(at / 97)}-kernel-${at}.ts`,
  );
  return [...others, ...best];
}

/** A repository whose index lists these files. Their contents are missing: the picker asks for the names only. */
export function repositoryOf(folder: string, names: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: folder };
  const git = (args: readonly string[], input?: string): string =>
    execFileSync("git", args, { cwd: folder, env, input, encoding: "utf8" });
  git(["init", "--quiet"]);
  const empty = git(["hash-object", "-w", "--stdin"], "").trim();
  git(["update-index", "--index-info"], names.map((name) => `100644 ${empty}\t${name}\n`).join(""));
}
