/**
 * Holds one program on a terminal, for one viewer at a time. The program ends when its viewer disconnects without detaching; only detaching
 * keeps it running.
 */
import { chmodSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { printable } from "../../events/printable.ts";
import type { Redactor } from "../../events/redact.ts";
import type { Processes } from "../../process/types.ts";
import { parseJson, record } from "../json.ts";
import { frame, FrameReader, type Frame } from "./frames.ts";
import { prepareSocket, recordingPath, removeHeld, writeHeld, type HeldTerminal } from "./held-terminals.ts";
import { clampSize, loadNodePty, openPty, type Pty } from "./open-pty.ts";
import { exitCodeOf } from "./exit-code.ts";
import { TerminalRecorder } from "./recording.ts";
import { Screen } from "./screen.ts";

/** The program that a holder runs, as passed to its process. */
export interface HolderSpec {
  readonly id: string;
  readonly agent: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The folder of all held terminals. */
  readonly folder: string;
  readonly title: string;
}

export interface HolderOptions {
  readonly processes: Processes;
  readonly redact: Redactor;
  readonly env: Readonly<Record<string, string>>;
  /** How long to wait for the first viewer. */
  readonly firstViewerMs?: number | undefined;
}

/** Unread bytes of a viewer or the screen above which the program has to wait. */
const longestBacklog = 1024 * 1024;
/** Bytes of input that are kept for a program that does not read, or is being started. More is lost, and said with a bell, as by a terminal. */
const mostUnread = 4 * 1024 * 1024;
const bell = "\x07";
/** How long a viewer has to read the last output of the program. */
const lastFramesMs = 10_000;

export class TerminalHolder {
  readonly socket: string;
  readonly ended: Promise<void>;
  readonly #spec: HolderSpec;
  readonly #options: HolderOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #end = Promise.withResolvers<void>();
  readonly #firstViewer: NodeJS.Timeout;
  #viewer: Socket | undefined;
  #starting = false;
  #pty: Pty | undefined;
  #screen: Screen | undefined;
  #recorder: TerminalRecorder | undefined;
  #closed = false;
  /** The viewer's input and size while the program is being started. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #wanted: Size | undefined;

  private constructor(spec: HolderSpec, options: HolderOptions) {
    this.#spec = spec;
    this.#options = options;
    this.ended = this.#end.promise;
    this.socket = prepareSocket(spec.folder, spec.id);
    this.#server = createServer((socket) => this.#connected(socket));
    this.#firstViewer = setTimeout(() => void this.close(), options.firstViewerMs ?? 10_000);
  }

  /** Resolves when viewers can connect. The program starts with the first viewer and gets its size. */
  static async start(spec: HolderSpec, options: HolderOptions): Promise<TerminalHolder> {
    loadNodePty();
    const holder = new TerminalHolder(spec, options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    holder.#server.once("error", (cause) => {
      reject(new ReinsError("internal", `The socket ${holder.socket} could not be opened.`, { cause }));
    });
    holder.#server.listen(holder.socket, resolve);
    await promise;
    chmodSync(holder.socket, 0o600);
    const { id, agent, argv, cwd } = spec;
    const held: HeldTerminal = {
      ...{ id, agent, argv, cwd, socket: holder.socket },
      pid: process.pid,
      startedAt: new Date().toISOString(),
    };
    writeHeld(spec.folder, held);
    return holder;
  }

  /**
   * Ends the program and everything it started. Sends the last frame to the viewer after the cleanup, so that the viewer finds nothing half
   * removed.
   */
  async close(exitCode = 143, last = frame("exit", { code: exitCode })): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#firstViewer);
    await this.#pty?.stop();
    this.#recorder?.close(exitCode);
    removeHeld(this.#spec.folder, { id: this.#spec.id, socket: this.socket });
    this.#server.close();
    for (const socket of this.#sockets) if (socket !== this.#viewer) socket.destroy();
    await this.#sendLast(last);
    this.#screen?.dispose();
    this.#end.resolve();
  }

  /** The viewer closes the connection after it has read the last frame; this process must live until then. */
  async #sendLast(last: Buffer): Promise<void> {
    const viewer = this.#viewer;
    if (viewer === undefined) return;
    const late = setTimeout(() => viewer.destroy(), lastFramesMs);
    const closed = new Promise((resolve) => viewer.once("close", resolve));
    viewer.end(last);
    await closed;
    clearTimeout(late);
  }

  #connected(socket: Socket): void {
    const reader = new FrameReader();
    this.#sockets.add(socket);
    socket.on("data", (chunk) => {
      try {
        for (const message of reader.push(chunk)) this.#take(socket, message);
      } catch {
        socket.destroy();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("drain", () => this.#pace());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (socket !== this.#viewer) return;
      this.#viewer = undefined;
      void this.close(129);
    });
  }

  #take(socket: Socket, { kind, bytes }: Frame): void {
    if (kind === "hello") return void this.#attach(socket, sizeIn(bytes));
    if (kind === "peek") return void socket.write(frame("screen", this.#text()));
    if (kind === "end") return void this.close();
    if (socket !== this.#viewer) return;
    if (kind === "input") this.#type(bytes);
    else if (kind === "resize") this.#resize(sizeIn(bytes));
    else if (kind === "detach") {
      this.#viewer = undefined;
      this.#recorder?.note("detached");
      socket.end();
      this.#pace();
    }
  }

  async #attach(socket: Socket, size: Size): Promise<void> {
    clearTimeout(this.#firstViewer);
    const before = this.#viewer;
    this.#viewer = socket;
    if (before !== undefined && before !== socket) before.end(frame("taken"));
    if (!this.#starting) return this.#begin(size);
    this.#wanted = size;
    if (this.#screen === undefined || this.#pty === undefined) return;
    this.#recorder?.note("attached");
    // All earlier output must be on the screen before it is drawn.
    await this.#screen.write(Buffer.alloc(0));
    if (this.#viewer !== socket) return;
    socket.write(frame("output", this.#screen.redraw()));
    this.#resize(size);
    this.#pace();
  }

  async #begin(size: Size): Promise<void> {
    this.#starting = true;
    const { id, agent, argv, cwd, folder, title } = this.#spec;
    const { processes, redact, env } = this.#options;
    try {
      const screen = await Screen.create(size);
      const recorder = new TerminalRecorder({
        ...{ path: recordingPath(folder, id), redact, title, startedAt: Date.now() },
        ...size,
      });
      this.#screen = screen;
      this.#recorder = recorder;
      // A detached program still queries its terminal, and some programs wait for the answer. With a viewer, its terminal answers.
      screen.onReply((reply) => void (this.#viewer === undefined && this.#pty?.write(reply)));
      const onOutput = (bytes: Buffer): void => this.#output(bytes, screen, recorder);
      const options = { argv, cwd, env, agent, sessionId: id, onOutput, ...size };
      this.#pty = await openPty(processes, options);
      if (this.#closed) await this.#pty.stop();
      this.#resize(this.#wanted ?? size);
      for (const bytes of this.#early.splice(0)) this.#pty.write(bytes);
      const code = exitCodeOf(await this.#pty.exited);
      await this.close(code);
    } catch (thrown) {
      const { code, message, help } = toReinsError(thrown);
      await this.close(1, frame("failed", { code, message, help }));
    }
  }

  #output(bytes: Buffer, screen: Screen, recorder: TerminalRecorder): void {
    this.#viewer?.write(frame("output", bytes));
    recorder.output(bytes);
    void screen.write(bytes).then(() => this.#pace());
    this.#pace();
  }

  /** The screen as text, for `peek`. */
  #text(): { readonly columns: number; readonly rows: number; readonly lines: readonly string[] } {
    const { columns, rows } = this.#screen?.size ?? { columns: 0, rows: 0 };
    return { columns, rows, lines: (this.#screen?.rows ?? []).map((line) => this.#options.redact(printable(line))) };
  }

  /** A terminal keeps input that is typed before its program reads. */
  #type(bytes: Buffer): void {
    const unread = this.#pty?.unread ?? this.#earlyBytes;
    if (unread + bytes.length > mostUnread) return void this.#viewer?.write(frame("output", bell));
    if (this.#pty !== undefined) return this.#pty.write(bytes);
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
  }

  #resize({ columns, rows }: Size): void {
    this.#wanted = { columns, rows };
    if (this.#pty === undefined) return;
    const now = this.#screen?.size;
    if (now?.columns === columns && now.rows === rows) return;
    this.#pty?.resize(columns, rows);
    this.#screen?.resize(columns, rows);
    this.#recorder?.resize(columns, rows);
  }

  /** A program that writes faster than the viewer reads has to wait, as on any terminal. */
  #pace(): void {
    const behind = Math.max(this.#viewer?.writableLength ?? 0, this.#screen?.pending ?? 0);
    if (behind > longestBacklog) this.#pty?.pause();
    else this.#pty?.resume();
  }
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

function sizeIn(bytes: Buffer): Size {
  const { columns, rows } = record(parseJson(bytes.toString()));
  return clampSize(Number(columns), Number(rows));
}
