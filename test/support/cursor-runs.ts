/** Runs the Cursor stand-in in its own folder and home, with a scripted model. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proof } from "../../src/agents/cursor/proof.ts";
import { startScriptedModel, type ScriptedModel } from "../../src/testing/server.ts";
import { cursorStandIn } from "../stand-ins/cursor/stand-in.ts";

export type Event = Readonly<Record<string, unknown>>;

export interface RunOptions {
  readonly traps?: Record<string, string | boolean>;
  readonly env?: Record<string, string>;
}

export class CursorRuns implements AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly model: ScriptedModel;
  readonly #root: string;

  static async open(): Promise<CursorRuns> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-cursor-stand-in-")));
    const cwd = join(root, "work");
    return new CursorRuns(root, await startScriptedModel({ cwd, proof }));
  }

  private constructor(root: string, model: ScriptedModel) {
    this.#root = root;
    this.cwd = join(root, "work");
    this.home = join(root, "home");
    this.model = model;
    for (const folder of [this.cwd, this.home]) mkdirSync(folder);
  }

  start(args: readonly string[], { traps = {}, env = {} }: RunOptions = {}): ChildProcessWithoutNullStreams {
    const command = cursorStandIn({ folder: mkdtempSync(join(this.#root, "bin-")), traps });
    const own = { HOME: this.home, PATH: process.env["PATH"] };
    const led = { CURSOR_API_ENDPOINT: this.model.url, CURSOR_API_KEY: "made-up" };
    return spawn(command, args, { cwd: this.cwd, env: { ...own, ...led, ...env } });
  }

  run(args: readonly string[], prompt = "", options?: RunOptions) {
    const child = this.start(args, options);
    child.stdin.end(prompt);
    return ended(child);
  }

  async events(prompt: string, args: readonly string[] = [], options?: RunOptions): Promise<Event[]> {
    const { stdout } = await this.run([...streamed, ...args], prompt, options);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    rmSync(this.#root, { recursive: true });
  }
}

export const streamed: readonly string[] = ["-p", "--trust", "--output-format", "stream-json"];

export async function ended(child: ChildProcessWithoutNullStreams) {
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (piece) => (stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece) => (stderr += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { stdout, stderr, code };
}

export const kinds = (list: readonly Event[]): string[] =>
  list.map(({ type, subtype }) => [type, subtype].filter(Boolean).join("/"));

/** Texts, with `@` when an event has a time, and `#` when it names the model's call. */
export const texts = (list: readonly Event[]): string[] =>
  list
    .filter(({ type }) => type === "assistant")
    .map(({ message, model_call_id: id, timestamp_ms: at }) => {
      const [{ text }] = (message as { content: [{ text: string }] }).content;
      return `${text}${at === undefined ? "" : " @"}${id === undefined ? "" : " #"}`;
    });
