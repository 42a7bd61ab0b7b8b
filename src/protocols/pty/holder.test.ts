import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, shellScript, temporaryFolder, testProcesses, until } from "../../../test/support/processes.ts";
import { createRedactor } from "../../events/redact.ts";
import { exitCodeOf } from "./exit-code.ts";
import { frame, FrameReader, type Frame, type FrameKind } from "./frames.ts";
import { listHeld, prepareSocket, pruneRecordings, recordingPath, removeHeld } from "./held-terminals.ts";
import { TerminalHolder } from "./holder.ts";

class Viewer {
  readonly frames: Frame[] = [];
  readonly #socket;
  closed = false;

  constructor(path: string) {
    const reader = new FrameReader();
    this.#socket = connect(path);
    this.#socket.on("data", (chunk) => this.frames.push(...reader.push(chunk)));
    this.#socket.on("close", () => (this.closed = true));
    this.#socket.on("error", () => {});
  }

  send(kind: FrameKind, content?: Buffer | string | object): this {
    this.#socket.write(frame(kind, content));
    return this;
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Stops reading until `resume`. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#socket.resume();
    return this;
  }

  text(kind: FrameKind): string {
    return this.frames
      .filter((one) => one.kind === kind)
      .map(({ bytes }) => bytes.toString())
      .join("");
  }

  shows(words: string): Promise<void> {
    return until(() => this.text("output").includes(words), words);
  }
}

interface Started {
  readonly holder: TerminalHolder;
  readonly folder: string;
}

async function withHolder(
  body: string,
  use: (started: Started) => Promise<void>,
  firstViewerMs = 60_000,
): Promise<void> {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, "terminals");
  const processes = testProcesses(join(temporary.path, "home"));
  const argv = [body === "" ? "reins-no-such-program" : shellScript(temporary.path, "program", body)];
  const spec = { id: "ses_1234", agent: "test", argv, cwd: temporary.path, folder, title: "program" };
  const env = { PATH: process.env["PATH"] ?? "" };
  const holder = await TerminalHolder.start(spec, { processes, redact: createRedactor({}), env, firstViewerMs });
  try {
    await use({ holder, folder });
  } finally {
    await holder.close();
    await processes.close();
  }
}

const size = { columns: 40, rows: 5 };
const echo = `echo "pid=$$"; while read -r line; do [ "$line" = quit ] && exit 3; echo "said $line"; done`;

test("passes keys, output, size and exit code between one viewer and the program", async () => {
  await withHolder(`stty size; ${echo}`, async ({ holder, folder }) => {
    expect(await listHeld(folder)).toMatchObject([{ id: "ses_1234", agent: "test", pid: process.pid }]);
    const viewer = new Viewer(holder.socket).send("hello", size);
    await viewer.shows("5 40");
    viewer.send("resize", { columns: 50, rows: 6 }).send("input", "hi\r");
    await viewer.shows("said hi");
    viewer.send("input", "quit\r");
    await holder.ended;
    await until(() => viewer.closed, "the end of the connection");
    expect(viewer.text("exit")).toBe('{"code":3}');
    expect(readdirSync(folder)).toEqual(["ses_1234.cast"]);
  });
});

test("keeps the program when a viewer detaches, redraws for the next, and ends it when the last one leaves", async () => {
  await withHolder(echo, async ({ holder, folder }) => {
    const first = new Viewer(holder.socket).send("hello", size);
    await first.shows("pid=");
    const pid = Number(/pid=(\d+)/.exec(first.text("output"))?.[1]);
    first.send("input", "one\r");
    await first.shows("said one");
    first.send("detach");
    await until(() => first.closed, "the end of the first view");
    expect(isAlive(pid)).toBe(true);

    const stranger = new Viewer(holder.socket).send("input", "quit\r");
    const second = new Viewer(holder.socket).send("hello", size);
    await second.shows("said one");
    const third = new Viewer(holder.socket).send("hello", { columns: 0, rows: "x" });
    await until(() => second.closed, "the end of the second view");
    expect(second.frames.at(-1)?.kind).toBe("taken");
    third.send("input", "two\r");
    await third.shows("said two");
    expect(await listHeld(folder)).toHaveLength(1);
    stranger.leave();
    third.leave();
    await holder.ended;
    expect(isAlive(pid)).toBe(false);
  });
});

test("keeps input and size sent before the program runs", async () => {
  await withHolder(`read -r line; stty size; echo "early $line"; sleep 60`, async ({ holder }) => {
    const viewer = new Viewer(holder.socket).send("hello", size);
    viewer.send("resize", { columns: 33, rows: 7 }).send("input", "keys\r");
    await viewer.shows("early keys");
    expect(viewer.text("output")).toContain("7 33");
    viewer.leave();
    await holder.ended;
  });
});

test("input for a program that does not read is kept up to a limit, and then a bell says that it is lost", async () => {
  await withHolder(`stty raw -echo; echo begun; sleep 60`, async ({ holder }) => {
    const viewer = new Viewer(holder.socket).send("hello", size);
    await viewer.shows("begun");
    const megabyte = Buffer.alloc(1024 * 1024, "x");
    for (let sent = 0; sent < 20; sent++) viewer.send("input", megabyte);
    const bells = (): number => viewer.text("output").split("\x07").length - 1;
    // Four are kept; the terminal itself takes some kilobytes.
    await until(() => bells() >= 15, "the bells");
    viewer.send("resize", { columns: 41, rows: 5 });
    expect(bells()).toBeLessThanOrEqual(16);
    // The viewer can still leave.
    viewer.send("detach");
    await until(() => viewer.closed, "the end of the view");
  });
});

test("delivers the last output to a viewer that reads late", async () => {
  await withHolder(`read -r line; seq 90000; exit 5`, async ({ holder, folder }) => {
    const viewer = new Viewer(holder.socket).send("hello", size);
    viewer.pause().send("input", "go\r");
    // About 600 kB: more than a socket buffers, less than what makes the program wait.
    await until(() => !existsSync(join(folder, "ses_1234.json")), "the end of the program");
    let ended = false;
    void holder.ended.then(() => (ended = true));
    expect(ended).toBe(false);
    viewer.resume();
    await holder.ended;
    expect(viewer.text("output")).toMatch(/\b90000\r\n$/);
    expect(viewer.text("exit")).toBe('{"code":5}');
  });
});

test("answers peek with the screen text and ends the program on request, without taking over", async () => {
  const hostile = `printf 'a\\033]52;c;aGk=\\007b\\033[21t\\033]0;title\\007 pid=%s\\n' $$; sleep 60`;
  await withHolder(hostile, async ({ holder }) => {
    const early = new Viewer(holder.socket).send("peek");
    await until(() => early.text("screen") !== "", "an answer before the program began");
    expect(early.text("screen")).toBe('{"columns":0,"rows":0,"lines":[]}');
    const viewer = new Viewer(holder.socket).send("hello", size);
    await viewer.shows("pid=");
    const pid = Number(/pid=(\d+)/.exec(viewer.text("output"))?.[1]);
    const other = new Viewer(holder.socket).send("peek");
    await until(() => other.text("screen") !== "", "the screen");
    const { lines, ...its } = JSON.parse(other.text("screen")) as { lines: string[] };
    expect(its).toEqual(size);
    expect(lines[0]).toBe(`ab pid=${pid}`);
    expect(viewer.closed).toBe(false);
    other.send("end");
    await holder.ended;
    expect(isAlive(pid)).toBe(false);
    expect(viewer.text("exit")).toBe('{"code":143}');
  });
});

test("answers terminal queries of the program while no viewer is attached", async () => {
  const asking = `stty raw -echo; printf ready; while [ ! -e go ]; do sleep 0.05; done; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -An -c; printf answered; sleep 60`;
  await withHolder(asking, async ({ holder, folder }) => {
    const first = new Viewer(holder.socket).send("hello", size);
    await first.shows("ready");
    first.send("detach");
    await until(() => first.closed, "the end of the first view");
    writeFileSync(join(folder, "..", "go"), "");
    const watcher = new Viewer(holder.socket);
    await until(() => watcher.send("peek").text("screen").includes("answered"), "the answer");
    const second = new Viewer(holder.socket).send("hello", size);
    await second.shows("answered");
    second.leave();
    await holder.ended;
  });
});

test("reports a failed start to the viewer, and starts nothing without a viewer", async () => {
  await withHolder("", async ({ holder }) => {
    const viewer = new Viewer(holder.socket).send("hello", size);
    await holder.ended;
    await until(() => viewer.closed, "the end of the connection");
    expect(viewer.text("failed")).toContain('"code":"not_installed"');
  });
  await withHolder(
    echo,
    async ({ holder, folder }) => {
      await holder.ended;
      expect(readdirSync(folder)).toEqual([]);
    },
    1,
  );
});

test("closes a connection that sends invalid bytes and keeps the others", async () => {
  await withHolder(echo, async ({ holder }) => {
    const viewer = new Viewer(holder.socket).send("hello", size);
    await viewer.shows("pid=");
    const other = connect(holder.socket);
    other.on("error", () => {});
    other.write("GET / HTTP/1.1\r\n\r\n");
    await new Promise((resolve) => other.once("close", resolve));
    viewer.send("input", "still\r");
    await viewer.shows("said still");
  });
});

test("handles long socket paths, invalid files, killed holders and old recordings", async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, "x".repeat(120));
  const socket = prepareSocket(folder, "one");
  expect(socket.length).toBeLessThan(100);
  removeHeld(folder, { id: "one", socket });
  expect(existsSync(join(socket, ".."))).toBe(false);
  expect(await listHeld(join(temporary.path, "nothing"))).toEqual([]);
  mkdirSync(join(folder, "a.json"));
  writeFileSync(join(folder, "b.json"), "{}");
  const gone = {
    id: "c",
    agent: "a",
    argv: ["a"],
    cwd: "/",
    startedAt: "2026",
    pid: 1,
    socket: join(folder, "c.sock"),
  };
  writeFileSync(join(folder, "c.json"), JSON.stringify(gone));
  expect(await listHeld(folder)).toEqual([]);
  expect(existsSync(join(folder, "c.json"))).toBe(false);
  for (const id of ["d", "e"]) writeFileSync(recordingPath(folder, id), "x".repeat(100));
  pruneRecordings(folder, ["d"], 50);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(["d.cast"]));
  expect(existsSync(recordingPath(folder, "e"))).toBe(false);
  pruneRecordings(join(temporary.path, "nothing"), []);
});

test.each([
  [{ code: 3, signal: null }, 3],
  [{ code: null, signal: "SIGTERM" as const }, 143],
  [{ code: null, signal: null }, 137],
])("turns %j into the exit code %i", (exit, code) => {
  expect(exitCodeOf(exit)).toBe(code);
});
