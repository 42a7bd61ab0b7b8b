import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Place, waitFor } from "../../test/support/command.ts";
import type { Performed } from "../../test/support/perform-commands.ts";
import type { ReinsEvent } from "../events/types.ts";
import { lookForServer, serverReins } from "./opened-reins.ts";

const performer = fileURLToPath(new URL("../../test/support/perform-commands.ts", import.meta.url));

/** Commands one after the other in one process. */
async function perform(
  place: Place,
  commands: readonly (readonly string[])[],
  env = {},
): Promise<readonly Performed[]> {
  const child = spawn(process.execPath, [performer, JSON.stringify(commands)], {
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

/** Without what is another each time: ids, times, and how long something took. */
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
  let session: string;

  beforeAll(async () => {
    await waitFor(server.child.stdout, /#token=/);
    writeFileSync(join(place.cwd, "notes.txt"), "one two\n");
  });
  afterAll(async () => {
    const ended = once(server.child, "exit");
    server.child.kill("SIGTERM");
    await ended;
    place[Symbol.dispose]();
  });

  test("a prompt comes to the same, with the server and without", async () => {
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
    const used = requests();
    expect(used).toBeGreaterThan(before);
    writeFileSync(join(place.cwd, "notes.txt"), "one two\n");
    const own = await perform(place, commands, alone);
    expect(requests()).toBe(used);
    for (const [index, one] of served.entries()) expect(shown(one)).toEqual(shown(own[index]!));
    const events = served[1]!.stdout.trim().split("\n");
    session = (JSON.parse(events[0]!) as ReinsEvent).sessionId;
  });

  test("so does everything that looks at what is kept", async () => {
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
    const served = await perform(place, commands);
    const used = requests();
    expect(used - before).toBeGreaterThan(commands.length);
    const own = await perform(place, commands, alone);
    expect(requests()).toBe(used);
    for (const [index, one] of served.entries()) expect(one).toEqual(own[index]!);
  });

  test("Ctrl-C cancels the turn, and the server stays", async () => {
    const { child, printed } = place.start(["run", "-a", "demo", "--json", "sleep 60000"]);
    const before = requests();
    await waitFor(child.stdout, /"turn.started"/);
    const ended = once(child, "exit");
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(requests()).toBeGreaterThan(before);
    const last = JSON.parse(printed.stdout.trim().split("\n").at(-1)!) as ReinsEvent;
    expect(last).toMatchObject({ type: "turn.completed", outcome: "cancelled" });
    expect(server.child.exitCode).toBeNull();
  });

  test("another environment, another version, one that is held to folders and one that is gone are not used", async () => {
    const { env } = place;
    const path = join(env["REINS_HOME"]!, "server.json");
    const file = readFileSync(path, "utf8");
    const isUsed = async (own: Record<string, string> = env): Promise<boolean> =>
      (await serverReins(own)) !== undefined;
    const isUsedAs = async (change: object): Promise<boolean> => {
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(file) as object), ...change }));
      return isUsed().finally(() => writeFileSync(path, file));
    };
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
    const before = requests();
    expect(await perform(place, [["sessions", "--no-server"]])).toMatchObject([{ code: 0 }]);
    expect(requests()).toBe(before);
    const other = await perform(place, [["run", "-a", "demo", "say x"]], { SOME_API_KEY: "another" });
    expect(other).toMatchObject([{ code: 0 }]);
    await vi.waitFor(() => expect(requests()).toBe(before + 1));
  });

  test("one that was found before a long prompt was read is looked for again", async () => {
    const { env } = place;
    const path = join(env["REINS_HOME"]!, "server.json");
    const file = readFileSync(path, "utf8");
    const [soon, late] = [await lookForServer(env), await lookForServer(env)];
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(file) as object), url: "http://127.0.0.1:9" }));
    expect(await serverReins(env, soon)).toBeDefined();
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now + 60_000);
    expect(await serverReins(env, late)).toBeUndefined();
    clock.mockRestore();
    writeFileSync(path, file);
  });
});

test("a server that is stopped in the middle of a turn is said in one sentence", async () => {
  using place = new Place();
  const server = place.start(["serve", "--port", "0"], { openInput: true });
  await waitFor(server.child.stdout, /#token=/);
  const { child, printed } = place.start(["run", "-a", "demo", "--json", "sleep 60000"]);
  await waitFor(child.stdout, /"turn.started"/);
  const ended = once(child, "exit");
  const stopped = once(server.child, "exit");
  server.child.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  expect(printed.stderr).toBe("reins: The server was stopped, and the turn was ended with it.\n");
  expect(printed.stdout).toContain('"turn.completed"');
  expect(await stopped).toEqual([143, null]);
});
