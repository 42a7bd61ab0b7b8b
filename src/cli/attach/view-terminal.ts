/** Shows a held terminal in this one: keys go through, output comes back byte for byte, and this terminal is always restored. */
import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { ReinsError } from "../../events/errors.ts";
import { parseJson, record } from "../../protocols/json.ts";
import { frame, FrameReader, type Frame } from "../../protocols/pty/frames.ts";
import { errorIn } from "../../protocols/pty/start-holder.ts";
import { TerminalModes } from "../../protocols/pty/terminal-modes.ts";
import { LeaderKeys } from "./leader-keys.ts";

export interface ViewOptions {
  /** A fresh connection to the holder. */
  readonly connection: Duplex;
  readonly leader: number;
  readonly ending: AbortSignal;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** How a view ended: the program exited, the person detached, another terminal took over, or the holder is gone. */
export type ViewEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "detached" | "taken" | "lost" | "ended" };

/** Connects to the holder of a terminal on this machine. */
export function connectHolder(socket: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => resolve(connection));
    connection.once("error", (cause) => reject(noAnswer(cause)));
  });
}

function noAnswer(cause: unknown): ReinsError {
  return new ReinsError("session_not_found", "The process that holds this terminal does not answer.", { cause });
}

export async function viewTerminal({ connection, leader, ending, input, output }: ViewOptions): Promise<ViewEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ViewEnd>();
  const reader = new FrameReader();
  const modes = new TerminalModes();
  const keys = new LeaderKeys(leader);

  const size = (): object => ({ columns: output.columns, rows: output.rows });
  const typed = (chunk: Buffer): void => {
    const { send, detach } = keys.push(chunk.toString("latin1"));
    if (send !== "") connection.write(frame("input", Buffer.from(send, "latin1")));
    if (!detach) return;
    connection.end(frame("detach"));
    resolve({ kind: "detached" });
  };
  const resized = (): void => void connection.write(frame("resize", size()));
  const stop = (): void => resolve({ kind: "ended" });
  const drained = (): void => void connection.resume();
  const take = ({ kind, bytes }: Frame): void => {
    if (kind === "output") {
      modes.push(bytes.toString("latin1"));
      // Back-pressure: a terminal that reads slowly slows the program, as it would without Reins.
      if (!output.write(bytes)) connection.pause();
    } else if (kind === "exit") resolve({ kind: "exited", code: Number(record(parseJson(bytes.toString()))["code"]) });
    else if (kind === "taken") resolve({ kind: "taken" });
    else if (kind === "failed") reject(errorIn(parseJson(bytes.toString())) ?? new Error("The program did not start."));
  };

  connection.on("data", (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) take(message);
    } catch (error) {
      reject(error);
    }
  });
  connection.on("error", (cause) => reject(noAnswer(cause)));
  // A WebSocket that was cut ends without a close.
  for (const end of ["end", "close"]) connection.on(end, () => resolve({ kind: "lost" }));
  connection.write(frame("hello", size()));
  // From here on, Ctrl-C and other control keys go to the program.
  passEveryByte(input);
  input.on("data", typed);
  input.resume();
  input.once("end", stop);
  output.on("resize", resized);
  output.on("drain", drained);
  ending.addEventListener("abort", stop);
  if (ending.aborted) stop();
  try {
    return await promise;
  } finally {
    ending.removeEventListener("abort", stop);
    input.off("data", typed);
    input.off("end", stop);
    input.pause();
    output.off("resize", resized);
    output.off("drain", drained);
    restore(input, output, modes);
    // Drain unread data: it would keep the connection open, and the holder would count it as a viewer.
    connection.resume();
    connection.end();
    setTimeout(() => connection.destroy(), 500).unref();
  }
}

/** Node's raw mode still turns LF into CR LF on output, which shifts what a full-screen program draws. Only `stty` switches that off. */
function passEveryByte(input: NodeJS.ReadStream): void {
  input.setRawMode(true);
  spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
}

function restore(input: NodeJS.ReadStream, output: NodeJS.WriteStream, modes: TerminalModes): void {
  try {
    input.setRawMode(false);
  } catch {
    // The terminal was closed.
  }
  output.write(modes.disable());
}
