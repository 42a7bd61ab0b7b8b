/** The code inside a stand-in executable: an agent that misbehaves in one way and otherwise sends its replies. */
import { spawn } from "node:child_process";
import { writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** Prints messages when an input line contains a text; `"$id"` stands for the id of the request it answers. */
export interface Reply {
  readonly on: string;
  readonly print: readonly unknown[];
  /** Marks the reply to a prompt, where the turn happens and goes wrong. */
  readonly turn?: boolean | undefined;
}

export const behaviours = [
  "good",
  "garbage",
  "silent",
  "exits",
  "exits-mid-turn",
  "crashes-mid-turn",
  "answers-twice",
  "ignores-term",
  "leaves-child",
  "leaves-setsid-child",
  "floods",
] as const;

export interface Behaviour {
  readonly kind: (typeof behaviours)[number];
  /** The output of a short command, by its arguments joined with spaces: `{ "--version": "1.2.3" }`. */
  readonly commands: Readonly<Record<string, string>>;
  readonly replies: readonly Reply[];
  /** The exit code for `exits` and `exits-mid-turn`. */
  readonly code: number;
  /** Printed on stderr at the start. */
  readonly stderr: string;
  /** For `floods`: the number of messages, and the size of the text that replaces `"$pad"` in them. */
  readonly flood: { readonly count: number; readonly bytes: number; readonly message: unknown };
  /** The file for the pids of remaining children. */
  readonly pidFile: string;
}

const stdout = 1;
const stderr = 2;

// Write synchronously: `process.stdout` would buffer what the reader does not take, and lose it at an exit.
function write(bytes: Buffer): void {
  for (let from = 0; from < bytes.length;) from += writeSync(stdout, bytes, from);
}

const print = (line: unknown): void =>
  write(Buffer.from((typeof line === "string" ? line : JSON.stringify(line)) + "\n"));

/** @public Called by the executables that `stand-in.ts` writes. */
export function behave(behaviour: Behaviour): void {
  const command = behaviour.commands[process.argv.slice(2).join(" ")];
  if (command !== undefined) return print(command);
  const { kind } = behaviour;
  if (behaviour.stderr !== "") writeSync(stderr, behaviour.stderr);
  if (kind === "exits") process.exit(behaviour.code);
  if (kind === "garbage") printGarbage();
  if (kind === "ignores-term") stay();
  if (kind === "leaves-child" || kind === "leaves-setsid-child")
    leaveChild(kind === "leaves-setsid-child", behaviour.pidFile);
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => answer(line, behaviour));
  input.on("close", () => {
    if (kind !== "ignores-term") process.exit(0);
  });
}

function answer(line: string, behaviour: Behaviour): void {
  const { kind } = behaviour;
  if (kind === "silent") return;
  if (kind === "garbage") return printGarbage();
  const reply = behaviour.replies.find(({ on }) => line.includes(on));
  if (!reply) return;
  const said = withId(reply.print, line);
  if (reply.turn === true && kind === "floods") flood(behaviour.flood);
  if (reply.turn === true && kind.endsWith("mid-turn")) {
    for (const message of said.slice(0, Math.ceil(said.length / 2))) print(message);
    if (kind === "exits-mid-turn") process.exit(behaviour.code);
    process.kill(process.pid, "SIGKILL");
  }
  for (let times = kind === "answers-twice" ? 2 : 1; times > 0; times--) for (const message of said) print(message);
}

function withId(messages: readonly unknown[], line: string): readonly unknown[] {
  const [, id] = /"(?:request_id|id)":\s*("[^"]*"|\d+)/.exec(line) ?? [];
  return id === undefined ? messages : (JSON.parse(JSON.stringify(messages).replaceAll('"$id"', id)) as unknown[]);
}

function printGarbage(): void {
  write(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]));
  for (const line of ["no JSON at all", '{"type":', "[]", "null", '"text"', '{"type":42}', "{}", "\u2028"]) print(line);
}

function flood({ count, bytes, message }: Behaviour["flood"]): void {
  const line = JSON.stringify(message).replaceAll('"$pad"', () => JSON.stringify("x".repeat(bytes)));
  for (let n = 0; n < count; n++) print(line);
}

function stay(): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  setInterval(() => undefined, 60_000);
}

/** The child keeps our stdout open, as a forgotten server would. */
function leaveChild(ownSession: boolean, pidFile: string): void {
  const child = spawn("sleep", ["1000"], { stdio: "inherit", detached: ownSession });
  child.unref();
  writeFileSync(pidFile, JSON.stringify([child.pid]));
}
