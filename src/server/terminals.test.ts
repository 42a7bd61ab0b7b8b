import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { apiServer, type TestServer } from "../../test/support/api-server.ts";
import { isAlive, shellScript, temporaryFolder, until } from "../../test/support/processes.ts";
import { frame, FrameReader, type Frame, type FrameKind } from "../protocols/pty/frames.ts";
import type { TerminalInfo } from "./schemas/terminals.ts";

const echo = `echo "pid=$$"; while read -r line; do [ "$line" = quit ] && exit 3; echo "said $line"; done`;
const size = { columns: 60, rows: 6 };

class Viewer {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  /** The close code, or the HTTP status of a refusal. */
  readonly ended: Promise<number>;

  constructor(server: TestServer, id: string, token = server.tokens.own) {
    const reader = new FrameReader();
    const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
    this.socket = new WebSocket(`${server.url.replace(/^http/, "ws")}/ws/terminals/${id}`, { headers });
    this.socket.on("message", (data: Buffer) => this.frames.push(...reader.push(data)));
    this.socket.on("error", () => {});
    this.ended = new Promise((resolve) => {
      this.socket.on("close", resolve);
      this.socket.on("unexpected-response", (_, answer) => resolve(answer.statusCode ?? 0));
    });
    onTestFinished(() => this.socket.terminate());
  }

  async open(): Promise<this> {
    await once(this.socket, "open");
    return this.send("hello", size);
  }

  send(kind: FrameKind, content?: Buffer | string | object): this {
    this.socket.send(frame(kind, content));
    return this;
  }

  text(kind: FrameKind = "output"): string {
    return this.frames
      .filter((one) => one.kind === kind)
      .map(({ bytes }) => bytes.toString())
      .join("");
  }

  async shows(words: string): Promise<this> {
    await until(() => this.text().includes(words), words);
    return this;
  }

  get pid(): number {
    return Number(/pid=(\d+)/.exec(this.text())?.[1]);
  }
}

async function created(server: TestServer, body: string, more: object = {}): Promise<TerminalInfo> {
  const command = [shellScript(server.cwd, `program-${Math.random()}`, body)];
  const answer = await server.call<TerminalInfo>("/api/terminals", { body: { command, cwd: server.cwd, ...more } });
  if (answer.status !== 201) throw new Error(`No terminal: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function list(server: TestServer, token?: string): Promise<readonly TerminalInfo[]> {
  return (await server.call<{ terminals: TerminalInfo[] }>("/api/terminals", { token })).body.terminals;
}

function sizeOfRecording({ env }: TestServer, id: string): number {
  return statSync(join(env["REINS_HOME"]!, "terminals", `${id}.cast`)).size;
}

function left(server: TestServer): readonly string[] {
  return readdirSync(join(server.env["REINS_HOME"]!, "terminals")).filter((name) => !name.endsWith(".cast"));
}

test("creates, shows, detaches, lists, peeks at, reattaches and ends a terminal", async () => {
  const server = await apiServer();
  const { id, agent, argv, cwd } = await created(server, echo);
  expect({ agent: agent.startsWith("program-"), argv: argv.length, cwd }).toEqual({
    agent: true,
    argv: 1,
    cwd: server.cwd,
  });
  const first = await (await new Viewer(server, id).open()).shows("pid=");
  const { pid } = first;
  first.send("input", "one\r");
  await first.shows("said one");
  first.send("detach");
  expect(await first.ended).toBe(1000);
  expect(isAlive(pid)).toBe(true);
  expect(await list(server)).toMatchObject([{ id }]);
  expect((await list(server))[0]).not.toHaveProperty("socket");
  const { body } = await server.call(`/api/terminals/${id.slice(0, 12)}`);
  expect(body.screen).toMatchObject({ ...size, lines: expect.arrayContaining(["said one"]) as unknown });
  expect((await server.call("/api/sessions")).body.sessions).toMatchObject([{ id }]);

  const second = await (await new Viewer(server, id).open()).shows("said one");
  const third = await (await new Viewer(server, id).open()).shows("said one");
  expect(await second.ended).toBe(1000);
  expect(second.frames.at(-1)?.kind).toBe("taken");
  third.send("resize", { columns: 1, rows: 1 }).send("resize", { columns: -5, rows: 1e9 }).send("input", "quit\r");
  expect(await third.ended).toBe(1000);
  expect(third.text("exit")).toBe('{"code":3}');
  expect(await list(server)).toEqual([]);
  expect(left(server)).toEqual([]);
});

test("shows an agent's own interface and ends it through the API", async () => {
  using folder = temporaryFolder();
  const program = shellScript(folder.path, "interface", `echo "interface $*"; sleep 60`);
  const server = await apiServer({ variables: { REINS_CLAUDE_COMMAND: program } });
  const { body } = await server.call("/api/terminals", {
    body: { agent: "claude", args: ["--resume"], cwd: server.cwd },
  });
  expect(body).toMatchObject({ agent: "claude", argv: [program, "--resume"] });
  const viewer = await (await new Viewer(server, body.id).open()).shows("interface --resume");
  expect((await server.call(`/api/terminals/${body.id}`, { method: "DELETE" })).status).toBe(200);
  expect(await viewer.ended).toBe(1000);
  expect(left(server)).toEqual([]);
  expect((await server.call(`/api/terminals/${body.id}`)).status).toBe(404);
});

test("needs the scope admin, and stays inside the token's folders", async () => {
  const server = await apiServer();
  const { id } = await created(server, echo);
  const viewer = await (await new Viewer(server, id).open()).shows("pid=");
  for (const scopes of [["read"], ["read", "prompt", "approve"]] as const) {
    const { token } = server.tokens.create({ name: "narrow", scopes: [...scopes] });
    for (const call of [{}, { body: { command: ["/bin/sh"], cwd: server.cwd } }])
      expect((await server.call("/api/terminals", { token, ...call })).status).toBe(403);
    expect((await server.call(`/api/terminals/${id}`, { token })).status).toBe(403);
    expect((await server.call(`/api/terminals/${id}`, { token, method: "DELETE" })).status).toBe(403);
    expect(await new Viewer(server, id, token).ended).toBe(403);
  }
  expect(await new Viewer(server, id, "").ended).toBe(401);
  expect(await new Viewer(server, id, "nonsense").ended).toBe(401);
  expect(await new Viewer(server, "ses_none").ended).toBe(404);
  expect(viewer.socket.readyState).toBe(WebSocket.OPEN);

  // Another server of the same user, limited to another folder.
  const roots = [join(server.cwd, "inner")];
  mkdirSync(roots[0]!);
  const rooted = await apiServer({ roots, env: server.env });
  expect(await list(rooted)).toEqual([]);
  expect((await rooted.call(`/api/terminals/${id}`)).status).toBe(404);
  expect((await rooted.call(`/api/terminals/${id}`, { method: "DELETE" })).status).toBe(404);
  expect(await new Viewer(rooted, id).ended).toBe(404);
  const outside = { command: ["/bin/sh"], cwd: server.cwd };
  expect((await rooted.call("/api/terminals", { body: outside })).status).toBe(403);
  viewer.send("input", "quit\r");
  await viewer.ended;
});

test("ends the program when its viewer leaves, and waits for a viewer that lost its connection", async () => {
  const server = await apiServer({ limits: { lostViewerMs: 60_000 } });
  const { id } = await created(server, echo);
  const first = await (await new Viewer(server, id).open()).shows("pid=");
  const { pid } = first;
  first.socket.terminate();
  await first.ended;
  const second = await (await new Viewer(server, id).open()).shows(`pid=${pid}`);
  expect(isAlive(pid)).toBe(true);
  second.socket.close();
  await until(() => !isAlive(pid), "the end of the program");
  await until(() => left(server).length === 0, "the end of the holder");

  const impatient = await apiServer({ limits: { lostViewerMs: 1 } });
  const other = await created(impatient, echo);
  const lost = await (await new Viewer(impatient, other.id).open()).shows("pid=");
  lost.socket.terminate();
  await until(() => !isAlive(lost.pid), "the end of the program");
});

test("ends shown programs with the server or the token, and keeps detached ones", async () => {
  const server = await apiServer({ limits: { lostViewerMs: 1 } });
  const shown = await (await new Viewer(server, (await created(server, echo)).id).open()).shows("pid=");
  const kept = await created(server, echo);
  const leaving = await (await new Viewer(server, kept.id).open()).shows("pid=");
  leaving.send("detach");
  await leaving.ended;
  const { token, id: tokenId } = server.tokens.create({ name: "short", scopes: ["admin"] });
  const revoked = await (await new Viewer(server, (await created(server, echo)).id, token).open()).shows("pid=");
  server.tokens.remove(tokenId);
  expect(await revoked.ended).toBe(4401);
  await until(() => !isAlive(revoked.pid), "the end of the program");
  await server.close();
  expect(await shown.ended).toBe(1001);
  await until(() => !isAlive(shown.pid), "the end of the program");
  expect(isAlive(leaving.pid)).toBe(true);
  await until(() => left(server).every((name) => name.startsWith(kept.id)), "the end of the other holders");
  const next = await apiServer({ env: server.env });
  expect(await list(next)).toMatchObject([{ id: kept.id }]);
  expect((await next.call(`/api/terminals/${kept.id}`, { method: "DELETE" })).status).toBe(200);
  expect(isAlive(leaving.pid)).toBe(false);
});

test("accepts no input after the token was removed, even if the viewer ignores the close", async () => {
  const server = await apiServer({ limits: { lostViewerMs: 60_000 } });
  const { id } = await created(server, echo);
  const { token, id: tokenId } = server.tokens.create({ name: "short", scopes: ["admin"] });
  const revoked = await (await new Viewer(server, id, token).open()).shows("pid=");
  // The client does not read, so it does not see the close.
  revoked.socket.pause();
  server.tokens.remove(tokenId);
  revoked.send("input", "too late\r");
  for (let asked = 0; asked < 5; asked++) await server.call(`/api/terminals/${id}`);
  const next = await (await new Viewer(server, id).open()).shows("pid=");
  next.send("input", "in time\r");
  await next.shows("said in time");
  expect(next.text()).not.toContain("too late");
  next.socket.close();
  await until(() => left(server).length === 0, "the end of the holder");
});

test("ignores a detach before hello: disconnecting ends the program", async () => {
  const server = await apiServer({ limits: { lostViewerMs: 1 } });
  const { id } = await created(server, echo);
  const viewer = new Viewer(server, id);
  await once(viewer.socket, "open");
  await viewer.send("detach").send("hello", size).shows("pid=");
  viewer.socket.terminate();
  await until(() => !isAlive(viewer.pid), "the end of the program");
  await until(() => left(server).length === 0, "the end of the holder");
});

test("makes the program wait for a viewer that does not read, and buffers little", async () => {
  const server = await apiServer({ limits: { fullBytes: 64 * 1024 } });
  const { id } = await created(server, `echo "pid=$$"; while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done`);
  const viewer = await (await new Viewer(server, id).open()).shows("pid=");
  viewer.socket.pause();
  const recorded = (): number => sizeOfRecording(server, id);
  // The program waits when its recording stops growing. Without waiting it would fill the recording, which holds 16 MB.
  let [before, same] = [0, 0];
  await until(() => {
    const now = recorded();
    same = now === before ? same + 1 : 0;
    before = now;
    return same > 20 && now > 100_000;
  }, "the program to wait");
  expect(recorded()).toBeLessThan(12 * 1024 * 1024);
  viewer.socket.resume();
  await until(() => recorded() > before, "the program to go on");
  viewer.socket.close();
  await until(() => left(server).length === 0, "the end of the holder");
});

test.each([
  ["text", (socket: WebSocket) => socket.send("hello")],
  ["bytes that are no frame", (socket: WebSocket) => socket.send(Buffer.from("GET / HTTP/1.1\r\n\r\n"))],
  ["a frame of the holder", (socket: WebSocket) => socket.send(frame("end"))],
  ["a frame that is too long", (socket: WebSocket) => socket.send(frame("input", Buffer.alloc(1024 * 1024 + 1)))],
])("closes the connection after %s", async (_, attack) => {
  const server = await apiServer({ limits: { lostViewerMs: 1 } });
  const { id } = await created(server, echo);
  const viewer = await (await new Viewer(server, id).open()).shows("pid=");
  attack(viewer.socket);
  expect(await viewer.ended).toBe(4400);
});

test.each([
  {},
  { agent: "claude", command: ["sh"] },
  { command: [] },
  { command: ["sh"], args: ["-c"] },
  { command: ["sh\0"] },
  { command: "sh" },
  { command: ["sh"], cwd: "relative" },
  { command: ["sh"], columns: 80 },
])("refuses %j", async (body) => {
  const server = await apiServer();
  expect((await server.call("/api/terminals", { body })).status).toBe(400);
});

test("reports a missing program and a missing folder", async () => {
  const server = await apiServer();
  const missing = { command: ["reins-no-such-program"], cwd: server.cwd };
  expect((await server.call("/api/terminals", { body: missing })).body.error.code).toBe("not_installed");
  const { id } = await created(server, echo, { cwd: join(server.cwd, "nowhere") });
  const viewer = await new Viewer(server, id).open();
  await viewer.ended;
  expect(viewer.text("failed")).toContain("nowhere");
  expect(left(server)).toEqual([]);
});
