import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Place, waitFor } from "../../test/support/command.ts";
import type { Performed } from "../../test/support/perform-commands.ts";
import type { ReinsEvent } from "../events/types.ts";
import { serverReins } from "./server-connection/open-reins.ts";

const performer = fileURLToPath(new URL("../../test/support/perform-commands.ts", import.meta.url));

/** Runs commands one after the other in one process. */
async function perform(
  place: Place,
  commands: readonly (readonly string[])[],
  { env = {}, now }: { env?: Record<string, string>; now?: number | undefined } = {},
): Promise<readonly Performed[]> {
  const child = spawn(process.execPath, [performer, JSON.stringify(commands), ...(now ? [String(now)] : [])], {
    cwd: place.cwd,
    env: { ...place.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await once(child, "close");
  return JSON.parse(printed) as readonly Performed[];
}

const alone = { REINS_NO_SERVER: "1" };

/** Removes the parts that differ each time: ids, times and durations. */
function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "<id>")
    .replaceAll(/ses_[0-9a-f]{8}\b/g, "ses_<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"durationMs":\d+/g, '"durationMs":0')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, "<took>");
}

function shown({ command, code, stdout, stderr }: Performed): object {
  return { command, code, stdout: plain(stdout), stderr: plain(stderr) };
}

describe("with a server", () => {
  const place = new Place();
  const server = place.start(["serve", "--port", "0", "--verbose"], { openInput: true });
  const requests = (): number => server.printed.stderr.split('"msg":"request"').length - 1;
  const serverFile = join(place.env["REINS_HOME"]!, "server.json");
  let session: string;

  /** Runs `work` with a changed copy of the server's file. */
  async function withServerFile<Value>(change: object, work: () => Promise<Value>): Promise<Value> {
    const file = readFileSync(serverFile, "utf8");
    writeFileSync(serverFile, JSON.stringify({ ...(JSON.parse(file) as object), ...change }));
    return work().finally(() => writeFileSync(serverFile, file));
  }

  /**
   * The requests that commands send to the announced server. Uses a mock: the real server may still receive requests that earlier commands
   * sent on leaving, and its log could not tell them apart.
   */
  async function askedOfServer(work: () => Promise<unknown>): Promise<readonly string[]> {
    const asked: string[] = [];
    const listener = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end("{}");
    });
    let connections = 0;
    listener.on("connection", () => (connections += 1));
    await once(listener.listen(0, "127.0.0.1"), "listening");
    try {
      await withServerFile({ url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` }, work);
      // Every connection makes a request.
      await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(connections));
      return asked;
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
  }

  /** Runs the commands in their own process, with the server there but not used. */
  async function performAlone(commands: readonly (readonly string[])[], now?: number): Promise<readonly Performed[]> {
    let own: readonly Performed[] = [];
    expect(await askedOfServer(async () => (own = await perform(place, commands, { env: alone, now })))).toEqual([]);
    return own;
  }

  beforeAll(async () => {
    // The server was started before this; it may have printed its address already.
    if (!server.printed.stdout.includes("#token=")) await waitFor(server.child.stdout, /#token=/);
    writeFileSync(join(place.cwd, "notes.txt"), "one two\n");
  });
  afterAll(async () => {
    const ended = once(server.child, "exit");
    server.child.kill("SIGTERM");
    await ended;
    place[Symbol.dispose]();
  });

  test("gives the same result for a prompt with and without the server", async () => {
    const commands = [
      ["run", "-a", "demo", "say a purple giraffe"],
      ["run", "-a", "demo", "--json", "read notes.txt; think hard; say done"],
      ["run", "-a", "demo", "--json", "run echo hello; say after"],
      ["run", "-a", "demo", "--mode", "edits", "edit notes.txt one -> two"],
      ["run", "-a", "demo", "fail overloaded"],
      ["run", "-a", "demo", "--max-quiet", "60", "--deny-tool", "read", "read notes.txt"],
      ["run", "-a", "nobody", "say x"],
      ["run", "-a", "demo", "--resume", "ses_nobody", "say x"],
      ["run", "-a", "demo", "--cwd", "no-such-folder", "say x"],
      ["run", "-a", "", "say x"],
      ["resume", "last", "say again"],
    ];
    const before = requests();
    const served = await perform(place, commands);
    await vi.waitFor(() => expect(requests()).toBeGreaterThan(before));
    writeFileSync(join(place.cwd, "notes.txt"), "one two\n");
    const own = await performAlone(commands);
    for (const [index, one] of served.entries()) expect(shown(one)).toEqual(shown(own[index]!));
    const events = served[1]!.stdout.trim().split("\n");
    session = (JSON.parse(events[0]!) as ReinsEvent).sessionId;
  });

  test("gives the same result for commands that read the store", async () => {
    const commands = [
      ["sessions"],
      ["sessions", "--json"],
      ["sessions", "--limit", "2", "--here"],
      ["sessions", "show", session],
      ["sessions", "show", session.slice(0, 12), "--json"],
      ["sessions", "show", "last", "--json"],
      ["sessions", "show", "ses_nobody"],
      ["sessions", "show", ".."],
      ["search", "giraffe", "--json"],
      ["search", "giraffe", "--limit", "1"],
      ["export", session],
      ["export", session, "-f", "jsonl"],
      ["log", session],
      ["log", session, "--json", "--after", "3"],
      ["log", session, "--json", "--after", "9999"],
      ["log", "ses_nobody"],
      ["ps"],
      ["ps", "--json"],
      ["usage"],
      ["usage", "--json"],
      ["agents", "demo"],
      ["agents", "demo", "--json"],
      ["agents", "nobody"],
      ["status", "demo"],
      ["policy", "list"],
      ["policy", "test", "shell", "ls"],
      ["context", "-a", "demo"],
      ["gc", "--dry-run"],
      ["login", "demo"],
    ];
    const before = requests();
    // Both print how long ago something was.
    const now = Date.now();
    const served = await perform(place, commands, { now });
    await vi.waitFor(() => expect(requests() - before).toBeGreaterThan(commands.length));
    const own = await performAlone(commands, now);
    for (const [index, one] of served.entries()) expect(one).toEqual(own[index]!);
  });

  test("cancels the turn on Ctrl-C and keeps the server", async () => {
    const { child, printed } = place.start(["run", "-a", "demo", "--json", "sleep 60000"]);
    await waitFor(child.stdout, /"turn.started"/);
    const closed = once(child, "close");
    child.kill("SIGINT");
    expect(await closed).toEqual([130, null]);
    const last = JSON.parse(printed.stdout.trim().split("\n").at(-1)!) as ReinsEvent;
    expect(last).toMatchObject({ type: "turn.completed", outcome: "cancelled" });
    await vi.waitFor(() => expect(server.printed.stderr).toContain(`/sessions/${last.sessionId}/cancel`));
    expect(server.child.exitCode).toBeNull();
  });

  test("does not use a server with another environment, another version, roots, or one that is gone", async () => {
    const { env } = place;
    const isUsed = async (own: Record<string, string> = env): Promise<boolean> =>
      (await serverReins(own)) !== undefined;
    const isUsedAs = (change: object): Promise<boolean> => withServerFile(change, isUsed);
    expect(await isUsed()).toBe(true);
    expect(await isUsed({ ...env, TERM: "xterm", REINS_NO_SERVER: "0" })).toBe(true);
    expect(await isUsed({ ...env, REINS_NO_SERVER: "1" })).toBe(false);
    expect(await isUsed({ ...env, SOME_API_KEY: "another" })).toBe(false);
    expect(await isUsed({ ...env, REINS_MODE: "full" })).toBe(false);
    const folder = vi.spyOn(process, "cwd").mockImplementation(() => {
      throw new Error("the folder was removed");
    });
    expect(await isUsed()).toBe(false);
    folder.mockRestore();
    expect(await isUsedAs({ version: "0.0.1" })).toBe(false);
    expect(await isUsedAs({ rooted: true })).toBe(false);
    expect(await isUsedAs({ start: "1" })).toBe(false);
    expect(await isUsedAs({ url: "http://127.0.0.1:9" })).toBe(false);
    const asked = await askedOfServer(async () => {
      expect(await perform(place, [["sessions", "--no-server"]])).toMatchObject([{ code: 0 }]);
    });
    expect(asked).toEqual([]);
    // The server is asked whether it is healthy, but not used.
    const other = await askedOfServer(async () => {
      const done = await perform(place, [["run", "-a", "demo", "say x"]], { env: { SOME_API_KEY: "another" } });
      expect(done).toMatchObject([{ code: 0 }]);
    });
    expect(other).toEqual(["GET /health"]);
  });
});

test("reports a server that stops during a turn in one sentence", async () => {
  using place = new Place();
  const server = place.start(["serve", "--port", "0"], { openInput: true });
  await waitFor(server.child.stdout, /#token=/);
  const { child, printed } = place.start(["run", "-a", "demo", "--json", "sleep 60000"]);
  await waitFor(child.stdout, /"turn.started"/);
  const ended = once(child, "close");
  const stopped = once(server.child, "exit");
  server.child.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  expect(printed.stderr).toBe("reins: The server was stopped, which ended the turn.\n");
  expect(printed.stdout).toContain('"turn.completed"');
  expect(await stopped).toEqual([143, null]);
});
