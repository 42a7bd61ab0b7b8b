import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { Place, waitFor } from "../../../test/support/command.ts";
import { nothingLeft } from "../../../test/support/leftovers.ts";
import { exitCodes } from "../exit-codes.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

/** Starts a server and waits until it has printed its address. */
async function serving(args: readonly string[] = []) {
  const { child, printed } = place.start(["serve", ...args], { openInput: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  await waitFor(child.stdout, /\n/);
  const [, url, token] = /^(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})\n$/.exec(printed.stdout) ?? [];
  if (url === undefined || token === undefined) throw new Error(`No address: ${printed.stdout}${printed.stderr}`);
  const call = async (path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = (await once(child, "close")) as [number | null];
    return code;
  };
  const told = async (pattern: RegExp): Promise<void> => {
    if (!pattern.test(printed.stderr)) await waitFor(child.stderr, pattern);
  };
  return { url, token, call, end, told, printed };
}

const stateFile = (name: string): string => join(place.home, "reins", name);

test("prints its address with the token, keeps both private, and leaves nothing after SIGTERM", async () => {
  const server = await serving(["--port", "0", "--verbose"]);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/me`)).status).toBe(401);
  const me = (await (await server.call("/api/me")).json()) as { scopes: string[]; cwd: string };
  expect([me.scopes, me.cwd]).toEqual([["admin"], place.cwd]);
  for (const name of ["server.json", "server-token"]) expect(statSync(stateFile(name)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(stateFile("server.json"), "utf8"))).toMatchObject({ url: server.url });
  const again = await place.run(["serve"]);
  expect([again.code, again.stdout]).toEqual([exitCodes.usage.code, ""]);
  expect(again.stderr).toContain(`A server is already running at ${server.url}`);
  // A program that an agent started does not outlive the server.
  const opened = await server.call("/api/sessions", {
    agent: "demo",
    cwd: place.cwd,
    mode: "full",
    prompt: "run sleep 600",
  });
  expect(opened.status).toBe(201);
  const { id } = (await opened.json()) as { id: string };
  const stream = await fetch(`${server.url}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${server.token}`, accept: "text/event-stream" },
  });
  expect(await server.end("SIGTERM")).toBe(exitCodes.terminated.code);
  // The stream was ended, not cut off in the middle of a frame.
  expect(await stream.text()).toMatch(/\n\n$/);
  await nothingLeft(place.home);
  expect(existsSync(stateFile("server.json"))).toBe(false);
  expect(server.printed.stderr).toContain('"path":"/api/sessions"');
  expect(server.printed.stderr).not.toContain(server.token);
});

test("ends on SIGINT, keeps its token, and takes another port when the usual one is in use", async () => {
  const first = await serving();
  expect(await first.end("SIGINT")).toBe(exitCodes.cancelled.code);
  await nothingLeft(place.home);
  expect(existsSync(stateFile("server.json"))).toBe(false);
  const second = await serving(["--root", place.cwd, "--host", "0.0.0.0"]);
  await second.told(/It listens on 0\.0\.0\.0 without encryption/);
  expect((await fetch(`${second.url}/api/me`)).status).toBe(401);
  expect(second.token).toBe(first.token);
  const outside = await second.call("/api/sessions", { agent: "demo", cwd: "/etc" });
  expect(outside.status).toBe(403);
  await second.end("SIGTERM");
});

test("reports a port in use in one sentence", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  const refused = await place.run(["serve", "--port", String(port)]);
  taken.close();
  expect(refused.code).toBe(exitCodes.usage.code);
  expect(refused.stderr).toContain(`Port ${port} of 127.0.0.1 is in use.`);
  expect(existsSync(stateFile("server.json"))).toBe(false);
});

test("refuses a root that is no folder and an address of another machine", async () => {
  const nowhere = await place.run(["serve", "--port", "0", "--root", "nowhere"]);
  expect([nowhere.code, nowhere.stdout]).toEqual([exitCodes.usage.code, ""]);
  expect(nowhere.stderr).toBe(`reins: The folder ${join(place.cwd, "nowhere")} does not exist.\n`);
  // An address reserved for documentation (RFC 5737).
  const elsewhere = await place.run(["serve", "--host", "203.0.113.7"]);
  expect(elsewhere.code).toBe(exitCodes.usage.code);
  expect(elsewhere.stderr).toBe(
    "reins: This machine has no address 203.0.113.7.\nChoose one of its addresses with `--host`.\n",
  );
  expect(existsSync(stateFile("server.json"))).toBe(false);
});
