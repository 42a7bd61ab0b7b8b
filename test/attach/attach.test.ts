import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/command.ts";
import { isAlive, shellScript, until } from "../support/processes.ts";
import { openTerminal } from "../support/terminal.ts";

/** A small interactive program: draws on the alternate screen, echoes lines, and prints its size on request. */
const interactive = `
printf '\\033[?1049h\\033[?2004h\\033[?25l\\033[2J\\033[H'
echo "pid=$$ args=$*"
while read -r line; do
  [ "$line" = quit ] && exit 7
  [ "$line" = size ] && stty size
  echo "you said $line"
done`;

function standIn(place: Place): string {
  return shellScript(place.home, "interface.sh", interactive);
}

function pidOn(screen: string): number {
  return Number(/pid=(\d+)/.exec(screen)?.[1]);
}

function terminals(place: Place): string {
  return join(place.home, "reins", "terminals");
}

function recording(place: Place): string {
  const [file = ""] = readdirSync(terminals(place)).filter((name) => name.endsWith(".cast"));
  return readFileSync(join(terminals(place), file), "utf8");
}

test("runs a program unchanged and passes on its exit code", async () => {
  using place = new Place();
  await using terminal = openTerminal(place, ["attach", "--", standIn(place), "a b", "--flag"]);
  await terminal.shows("args=a b --flag");
  terminal.type("size\r");
  await terminal.shows("24 80");
  await terminal.resize(60, 20);
  await until(() => recording(place).includes("60x20"), "the new size");
  terminal.type("size\r");
  await terminal.shows("20 60");
  terminal.type("hello\r");
  await terminal.shows("you said hello");
  terminal.type("quit\r");
  expect(await terminal.exited).toBe(7);
  // Modes that the program left on are reset.
  expect(terminal.output()).toContain("\x1b[?2004l");
  expect(terminal.output().lastIndexOf("\x1b[?1049l")).toBeGreaterThan(terminal.output().lastIndexOf("\x1b[?1049h"));
  expect(terminal.output()).toContain("\x1b[?25h");
  expect(readdirSync(terminals(place)).filter((name) => !name.endsWith(".cast"))).toEqual([]);
});

test("passes output and keys byte for byte", async () => {
  using place = new Place();
  const program = shellScript(
    place.home,
    "raw.sh",
    `stty raw -echo; printf 'one\\ntwo\\tx'; dd bs=1 count=4 2>/dev/null | od -An -tx1`,
  );
  await using terminal = openTerminal(place, ["attach", "--", program]);
  await until(() => terminal.output().includes("two"), "the program");
  expect(terminal.output()).toContain("one\ntwo\tx");
  terminal.type("\x03\x1a\n\r");
  await terminal.exited;
  expect(terminal.output()).toContain("03 1a 0a 0d");
});

test("keeps a detached program running, lists it and redraws it on attach", async () => {
  using place = new Place();
  await using first = openTerminal(place, ["attach", "--", standIn(place)]);
  await first.shows("pid=");
  first.type("before\r");
  await first.shows("you said before");
  const pid = pidOn(first.screen());
  first.type("\x18d");
  expect(await first.exited).toBe(0);
  expect(first.screen()).toContain("Detached. The program keeps running.");
  expect(isAlive(pid)).toBe(true);

  const listed = await place.run(["attach", "--json"]);
  const { id, agent } = JSON.parse(listed.stdout) as { id: string; agent: string };
  expect(agent).toBe("interface.sh");
  const running = await place.run(["ps", "--json"]);
  expect(JSON.parse(running.stdout)).toMatchObject({ agent: "interface.sh", pid, session: id });

  await using second = openTerminal(place, ["attach", id.slice(0, 12)]);
  await second.shows("you said before");
  second.type("after\r");
  await second.shows("you said after");
  await using third = openTerminal(place, ["attach", id]);
  await third.shows("you said after");
  expect(await second.exited).toBe(0);
  expect(second.screen()).toContain("Another terminal has attached to it.");
  third.type("quit\r");
  expect(await third.exited).toBe(7);
  expect((await place.run(["attach"])).stdout).toContain("No terminal is running.");
  expect((await place.run(["ps"])).stdout).toBe("Nothing is running.\n");
});

test.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "ends the program when the viewer dies of %s instead of detaching",
  async (signal) => {
    using place = new Place();
    await using terminal = openTerminal(place, ["attach", "--", standIn(place)]);
    await terminal.shows("pid=");
    const pid = pidOn(terminal.screen());
    terminal.kill(signal);
    await terminal.exited;
    await until(() => !isAlive(pid), "the end of the program");
    await until(() => readdirSync(terminals(place)).every((name) => name.endsWith(".cast")), "the end of the holder");
  },
);

test("ends the program and restores the terminal when the holder is killed", async () => {
  using place = new Place();
  await using terminal = openTerminal(place, ["attach", "--", standIn(place)]);
  await terminal.shows("pid=");
  const pid = pidOn(terminal.screen());
  const [file = ""] = readdirSync(terminals(place)).filter((name) => name.endsWith(".json"));
  const held = JSON.parse(readFileSync(join(terminals(place), file), "utf8")) as { pid: number };
  process.kill(held.pid, "SIGKILL");
  expect(await terminal.exited).toBe(1);
  await terminal.shows("The process that held this terminal is gone");
  expect(terminal.output()).toContain("\x1b[?1049l");
  await until(() => !isAlive(pid), "the guardian's work");
  expect((await place.run(["attach"])).stdout).toContain("No terminal is running.");
  expect(readdirSync(terminals(place)).filter((name) => name.endsWith(".json"))).toEqual([]);
});

test("keeps a private recording without known secrets, lists it as a session and replays it", async () => {
  using place = new Place();
  const program = shellScript(
    place.home,
    "tell.sh",
    `echo "the key is $MY_API_KEY"; printf '\\033]52;c;aGk=\\007'; echo done`,
  );
  const env = { MY_API_KEY: "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" };
  await using terminal = openTerminal(place, ["attach", "--", program], { env });
  expect(await terminal.exited).toBe(0);
  const [file = ""] = readdirSync(terminals(place)).filter((name) => name.endsWith(".cast"));
  const path = join(terminals(place), file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(terminals(place)).mode & 0o777).toBe(0o700);
  expect(readFileSync(path, "utf8")).not.toContain("abcdefghijklmnop");
  const listed = JSON.parse((await place.run(["sessions", "--json"])).stdout) as { id: string; title: string };
  expect(listed).toMatchObject({ id: file.slice(0, -".cast".length), title: program });
  expect((await place.run(["log", listed.id])).stderr).toContain("recording of a terminal");
  const replayed = await place.run(["attach", "--replay", listed.id]);
  expect(replayed.stdout).toMatch(/^the key is .*\ndone\n$/);
  await using watcher = openTerminal(place, ["attach", "--replay", listed.id, "--speed", "10"]);
  expect(await watcher.exited).toBe(0);
  await watcher.shows("done");
  // No control sequence of the recording reaches the terminal.
  expect(watcher.output()).not.toContain("\x1b]52");
});

test("fails with one sentence when a program cannot be attached", async () => {
  using place = new Place();
  expect(await place.run(["attach", "claude"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Attaching needs a terminal.") as unknown,
  });
  writeFileSync(join(place.cwd, "no.cast"), "hello\n");
  expect((await place.run(["attach", "--replay", "no.cast"])).stderr).toContain("is not a terminal recording");
  expect((await place.run(["attach", "--replay", "nothing"])).stderr).toContain("There is no recording nothing.");
  await using missing = openTerminal(place, ["attach", "--", "reins-no-such-program"]);
  expect(await missing.exited).toBe(3);
  await missing.shows("was not found");
  await using demo = openTerminal(place, ["attach", "demo"]);
  expect(await demo.exited).toBe(2);
  await demo.shows("has no interface of its own");
});

test("starts an agent's own interface with further arguments", async () => {
  using place = new Place();
  const env = { REINS_CLAUDE_COMMAND: standIn(place) };
  await using terminal = openTerminal(place, ["attach", "claude", "--", "--resume", "x"], { env });
  await terminal.shows("args=--resume x");
  terminal.type("quit\r");
  expect(await terminal.exited).toBe(7);
});

test("starts, detaches, lists, attaches and ends a program through a server", async () => {
  using place = new Place();
  const server = place.start(["serve", "--port", "0"], { openInput: true });
  const file = join(place.home, "reins", "server.json");
  await until(() => existsSync(file), "the server");
  const {
    url,
    token,
    pid: serverPid,
  } = JSON.parse(readFileSync(file, "utf8")) as Record<"url" | "token", string> & {
    pid: number;
  };
  const here = ["attach", "--server", "here"];
  await using first = openTerminal(place, [...here, "--", standIn(place), "a b"]);
  await first.shows("args=a b");
  const pid = pidOn(first.screen());
  first.type("before\r");
  await first.shows("you said before");
  first.type("\x18d");
  expect(await first.exited).toBe(0);
  expect(isAlive(pid)).toBe(true);
  const { id } = JSON.parse((await place.run([...here, "--json"])).stdout) as { id: string };
  expect((await place.run(["sessions", "--json"])).stdout).toContain(id);

  // Attach without the server, and then through the server by its address.
  await using second = openTerminal(place, ["attach", id]);
  await second.shows("you said before");
  const there = ["attach", "--server", url];
  await using third = openTerminal(place, [...there, id.slice(0, 12)], { env: { REINS_TOKEN: token } });
  await third.shows("you said before");
  expect(await second.exited).toBe(0);
  await third.resize(60, 20);
  await until(() => recording(place).includes("60x20"), "the new size");
  third.type("size\r");
  await third.shows("20 60");

  process.kill(serverPid, "SIGKILL");
  expect(await third.exited).toBe(1);
  expect(third.output()).toContain("\x1b[?1049l");
  await until(() => !isAlive(pid), "the end of the program");
  await until(() => readdirSync(terminals(place)).every((name) => name.endsWith(".cast")), "the end of the holder");
  server.child.kill("SIGKILL");
});

test.each([
  [["--server", "here"], {}, "No server runs on this machine."],
  [["--server", "http://reins.example"], { REINS_TOKEN: "x" }, "The token would be sent unencrypted"],
  [["--server", "https://127.0.0.1:1"], {}, "needs a token"],
  [["--server", "http://127.0.0.1:1"], { REINS_TOKEN: "x" }, "does not answer"],
  [["--server", "nonsense"], { REINS_TOKEN: "x" }, "is not the address of a server"],
])("answers attach %j with one sentence", async (args, env, said) => {
  using place = new Place();
  expect((await place.run(["attach", ...args], { env })).stderr).toContain(said);
});
