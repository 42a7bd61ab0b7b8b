import { createServer, type RequestListener, type Server } from "node:http";
import * as fs from "node:fs";
import { createServer as createSocket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runHook } from "../../../../test/support/cursor-hooks.ts";
import { temporaryFolder } from "../../../../test/support/processes.ts";
import { findCommand } from "../../../process/index.ts";
import { gates, hookEvents } from "./events.ts";
import { serveHooks } from "./server.ts";
import { commandFor, variables, writeShim } from "./shim.ts";

const perl = (await findCommand("perl", process.env))?.path;
const node = process.execPath;
const ways = [
  ["Node", { node, perl: undefined }],
  ...(perl === undefined ? [] : [["Perl", { node, perl }] as const]),
] as const;

const envOf = (address: string, wait = "20"): Record<string, string> => ({
  [variables.token]: "t0ken",
  [variables.address]: address,
  [variables.wait]: wait,
});

/** Another kind of server at the other end of a socket. */
async function odd(path: string, server: Server | ReturnType<typeof createSocket>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  server.unref();
  return path;
}

describe.each(ways)("the script that asks with %s", (_name, programs) => {
  test("waits for an answer longer than the largest timer", async () => {
    using folder = temporaryFolder();
    const shim = await writeShim(folder.path, programs);
    const onHook = () => Promise.resolve({ permission: "allow" });
    const server = await serveHooks({ folder: folder.path, token: "t0ken", mostBytes: 4e6, onHook });
    const ran = await runHook(commandFor(shim, "preToolUse"), "{}", envOf(server.address, "2147486"));
    expect(ran).toEqual({ code: 0, stdout: '{"permission":"allow"}', stderr: "" });
    await server.close();
  });

  test("passes on any payload and prints the answer", async () => {
    using folder = temporaryFolder();
    const shim = await writeShim(join(folder.path, "a b'c"), programs);
    const heard: string[] = [];
    const server = await serveHooks({
      folder: folder.path,
      token: "t0ken",
      mostBytes: 4e6,
      onHook: (event, body) => {
        heard.push(event, body);
        return Promise.resolve({ user_message: "-n \\t ' \" $HOME %s ü\n" });
      },
    });
    const said = JSON.stringify({ "a'b": "$(date) `x` \\ ü\u2028\n", long: "x".repeat(2_000_000) });
    const ran = await runHook(commandFor(shim, "preToolUse"), said, {
      ...envOf(server.address),
      http_proxy: "http://127.0.0.1:9",
    });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toEqual({ user_message: "-n \\t ' \" $HOME %s ü\n" });
    expect(heard).toEqual(["preToolUse", said]);
    expect(await runHook(commandFor(shim, "stop"), "x".repeat(5_000_000), envOf(server.address))).toMatchObject({
      code: 0,
      stdout: "{}",
    });
    expect(await runHook(commandFor(shim, "preToolUse"), "x".repeat(5_000_000), envOf(server.address))).toMatchObject({
      code: 2,
    });
    await server.close();
  });

  test("denies in the output and by the exit code, with the reason in each", async () => {
    using folder = temporaryFolder();
    const shim = await writeShim(folder.path, programs);
    const answer = { permission: "deny", user_message: "Not ü,\nnot %s." };
    const onHook = (): Promise<object> => Promise.resolve(answer);
    const server = await serveHooks({ folder: folder.path, token: "t0ken", mostBytes: 1e6, onHook });
    const ran = await runHook(commandFor(shim, "preToolUse"), {}, envOf(server.address));
    expect(ran).toEqual({ code: 2, stdout: JSON.stringify(answer), stderr: answer.user_message });
    await server.close();
  });

  test("uses a port when the path of the socket would be too long", async () => {
    using folder = temporaryFolder();
    const deep = join(folder.path, "d".repeat(90));
    fs.mkdirSync(deep);
    const shim = await writeShim(folder.path, programs);
    const onHook = (): Promise<object> => Promise.resolve({ permission: "allow" });
    const server = await serveHooks({ folder: deep, token: "t0ken", mostBytes: 1e6, onHook });
    expect(fs.statSync(server.address).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(server.address, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    const ran = await runHook(commandFor(shim, "preToolUse"), {}, envOf(server.address));
    expect(ran).toMatchObject({ code: 0, stdout: '{"permission":"allow"}' });
    await server.close();
    expect(await runHook(commandFor(shim, "preToolUse"), {}, envOf(server.address))).toMatchObject({ code: 2 });
  });

  test("denies gating hooks and prints nothing for others when there is no valid answer", async () => {
    using folder = temporaryFolder();
    const shim = await writeShim(folder.path, programs);
    const expectRefused = async (address: string): Promise<void> => {
      const [refused, passed] = await Promise.all(
        (["preToolUse", "stop"] as const).map((event) => runHook(commandFor(shim, event), {}, envOf(address, "1"))),
      );
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused?.stderr).toMatch(/^Reins could not be asked about this \(.+\), so it does not happen\.$/);
      expect(passed).toMatchObject({ code: 0, stdout: "{}" });
    };
    const answers: readonly RequestListener[] = [
      (_request, response) => response.end("garbage"),
      (_request, response) => response.writeHead(500).end("{}"),
      (_request, response) => response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy()),
    ];
    const mute = createSocket((socket) => void socket.on("error", () => {}).resume());
    const addresses = await Promise.all(
      [...answers.map((answer) => createServer(answer)), mute].map((server, index) =>
        odd(join(folder.path, String(index)), server),
      ),
    );
    await Promise.all([...addresses, join(folder.path, "nothing")].map(expectRefused));
  });
});

test("asks and starts nothing without the token", async () => {
  using folder = temporaryFolder();
  const shim = await writeShim(folder.path, { node: "/no/such/node", perl: "/no/such/perl" });
  for (const event of ["preToolUse", "stop", "nobody knows"] as const)
    expect(await runHook(commandFor(shim, event as "stop"), {}, { PATH: "/nowhere" })).toEqual({
      code: 0,
      stdout: "{}",
      stderr: "",
    });
  expect(await runHook(`${node} ${shim.replace(/sh$/, "cjs")} preToolUse`, {})).toEqual({
    code: 0,
    stdout: "{}",
    stderr: "",
  });
  const alone = await runHook(commandFor(shim, "preToolUse"), {}, { ...envOf("/x"), PATH: "/nowhere" });
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/no Node/) as string });
  expect(hookEvents.filter(gates)).toHaveLength(7);
});

test("works without Perl when Perl was removed since", async () => {
  using folder = temporaryFolder();
  const shim = await writeShim(folder.path, { node, perl: "/no/such/perl" });
  const onHook = (): Promise<object> => Promise.resolve({ permission: "deny" });
  const server = await serveHooks({ folder: folder.path, token: "t0ken", mostBytes: 1e6, onHook });
  const ran = await runHook(commandFor(shim, "preToolUse"), {}, envOf(server.address));
  expect(ran).toEqual({ code: 2, stdout: '{"permission":"deny"}', stderr: "Reins does not allow it." });
  await server.close();
});

test("uses Node as the command when there is no shell", () => {
  const command = commandFor("C:\\x y\\hook.sh", "stop", "win32");
  expect(command).toBe(`"${process.execPath}" "C:\\x y\\hook.cjs" stop`);
});
