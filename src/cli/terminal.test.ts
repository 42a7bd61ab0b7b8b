import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "../../test/support/command.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

/** Types each text when the screen shows the matching question, and waits for the end. */
async function converse(args: readonly string[], typed: readonly (readonly [RegExp, string])[], env = {}) {
  const { child, screen } = place.startAtTerminal(["run", "-a", "demo", ...args], env);
  const ended = once(child, "close") as Promise<[number]>;
  for (const [seen, keys] of typed) {
    await expect.poll(() => screen.text).toMatch(seen);
    child.stdin.write(keys);
  }
  const [code] = await ended;
  return { code, screen: screen.text };
}

describe.runIf(process.platform === "linux" && existsSync("/usr/bin/script"))("at a terminal", () => {
  it("shows a permission request, and a yes allows it", async () => {
    const { code, screen } = await converse(["write a.txt hello"], [[/Allow Write a\.txt\? /, "y\r"]]);
    expect(screen).toContain("+hello");
    // The labels say what `a` and `f` would allow.
    expect(screen).toContain("a Always allow in this folder: write in a.txt");
    expect(screen).toContain("f Always allow edits in the workspace in this session");
    expect(existsSync(join(place.cwd, "a.txt"))).toBe(true);
    expect(code).toBe(0);
  });

  it('keeps an "always" as a rule of the folder, which can be listed and removed', async () => {
    await converse(["write a.txt hello"], [[/Allow Write a\.txt\? /, "a\r"]]);
    expect((await place.run(["policy", "list"])).stdout).toMatch(/1 +allow write in a\.txt +your answer/);
    // Without a terminal nobody can be asked.
    expect((await place.run(["run", "-a", "demo", "write a.txt again"])).code).toBe(0);
    expect(readFileSync(join(place.cwd, "a.txt"), "utf8")).toBe("again");
    await place.run(["policy", "rm", "1"]);
    expect((await place.run(["run", "-a", "demo", "write a.txt more"])).code).toBe(4);
  });

  it("lets the agent remember an answer for the session", async () => {
    const { code } = await converse(["write a.txt hello; write b.txt hello"], [[/Allow Write a\.txt\? /, "f\r"]]);
    expect(existsSync(join(place.cwd, "b.txt"))).toBe(true);
    expect(code).toBe(0);
    expect((await place.run(["policy", "list"])).stdout).toContain("There are no rules");
  });

  it("passes the text after a no to the agent, and asks again after an empty line", async () => {
    const { code, screen } = await converse(
      ["write a.txt hello"],
      [
        [/Allow Write a\.txt\? /, "\r"],
        [/Please answer y, a, f, n or s\.[\s\S]*Allow Write a\.txt\? /, "n not on a Sunday\r"],
      ],
    );
    expect(screen).toMatch(/Write a\.txt: not on a Sunday/);
    expect(existsSync(join(place.cwd, "a.txt"))).toBe(false);
    expect(code).toBe(0);
  });

  it("ends the turn at a no with stop", async () => {
    const { code, screen } = await converse(["write a.txt hello; say after"], [[/Allow Write a\.txt\? /, "s\r"]]);
    expect(screen).not.toMatch(/^after/m);
    expect(code).toBe(4);
  });

  it("cancels on Ctrl-C while it asks", async () => {
    const { code, screen } = await converse(["write a.txt hello"], [[/Allow Write a\.txt\? /, "\x03"]]);
    expect(screen).toContain("cancelled after");
    expect(code).toBe(130);
  });

  it("ignores keys typed before the question appeared", async () => {
    const wait = `run sh -c "until [ -e go ]; do sleep 0.02; done"`;
    const { child, screen } = place.startAtTerminal(["run", "-a", "demo", "--mode", "full", `${wait}; ask Sure?`]);
    const ended = once(child, "close");
    await expect.poll(() => screen.text).toContain("● Run sh");
    child.stdin.write("typed ahead\r");
    await expect.poll(() => screen.text).toContain("typed ahead");
    writeFileSync(join(place.cwd, "go"), "");
    await expect.poll(() => screen.text).toContain("Your answer: ");
    child.stdin.write("2\r");
    await ended;
    expect(screen.text).toContain("You answered: No.");
  });

  it("asks for the approval of a plan", async () => {
    const { code, screen } = await converse(["--mode", "plan", "plan; say after"], [[/Approve this plan\? /, "y\r"]]);
    expect(screen).toContain("  1. Look at the folder");
    expect(screen).toContain("after");
    expect(code).toBe(0);
  });

  it("fits the tour and the help into 80 columns", async () => {
    const { child, screen } = place.startAtTerminal(["tour"]);
    const ended = once(child, "close");
    await expect.poll(() => screen.text).toContain("Allow Write hello-from-reins.md?");
    child.stdin.write("y\r");
    await ended;
    expect(screen.text).toContain("Try next:");
    const help = await Promise.all([place.run(["--help"]), place.run(["run", "-a", "demo", "--help"])]);
    const shown = [screen.text, ...help.map(({ stdout }) => stdout)]
      .join("\n")
      .replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "");
    expect(shown.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
  });

  it("neutralises control sequences of the agent", async () => {
    const { code, screen } = await converse([`say "\x1b]0;owned\x07\x1b[2Jplain \x9b31mtext"`], []);
    expect(screen).toContain("plain text");
    expect(screen).not.toMatch(/owned|\x07|\x1b\[2J|\x9b/);
    expect(code).toBe(0);
  });

  it("has colours, except with NO_COLOR", async () => {
    const colours = /\x1b\[\d+m/;
    expect((await converse(["list"], [])).screen).toMatch(colours);
    expect((await converse(["list"], [], { NO_COLOR: "1" })).screen).not.toMatch(colours);
  });
});
