/** Every first screen offers the same three things, from one list. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { agentEntries } from "../src/agents/index.ts";
import { firstSteps } from "../src/view/first-steps.ts";
import { parseSlash } from "../src/view/slash/commands.ts";
import { Place, waitFor } from "./support/command.ts";
import { openTui } from "./support/tui.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const commands = firstSteps.map(({ command }) => command);

describe("the list", () => {
  test("has three steps, each a slash command of the terminal and the page", () => {
    const parsed = commands.map((command) => parseSlash(command));
    expect(parsed.map((slash) => (slash?.kind === "command" ? slash.command.where : slash))).toEqual(
      Array(3).fill(["terminal", "page"]),
    );
  });

  test("names a built-in agent", () => {
    const demo = commands[0]?.replace("/agent ", "");
    expect(agentEntries.find(({ id }) => id === demo)?.builtIn).toBe(true);
  });
});

test("the terminal interface offers them", async () => {
  const tui = openTui({ columns: 80, rows: 24 });
  for (const { title, command } of firstSteps) await tui.shows(new RegExp(`${title} +${command}`));
});

test("plain mode offers them", async () => {
  const { stdout } = await place.run(["--plain"]);
  for (const { title, command } of firstSteps) expect(stdout).toMatch(new RegExp(`^${title} +${command}$`, "m"));
});

test("`reins` without a terminal offers them as commands for a shell", async () => {
  const { stdout } = await place.run([]);
  for (const { shell } of firstSteps) expect(stdout).toContain(`\n  ${shell} `);
});

test("`npm start` prints three lines: the address, what to do with it, what to try", async () => {
  const { child, printed } = place.start(["serve", "--port", "0"], { openInput: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const isWhole = () => printed.stdout.endsWith("\n") && printed.stderr.includes("/help");
  while (!isWhole()) await Promise.race([waitFor(child.stdout, /\n/), waitFor(child.stderr, /\n/)]);
  const lines = [printed.stdout, printed.stderr].join("").trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("Open this address in a browser.");
  for (const command of commands) expect(lines[2]).toContain(`(${command})`);
});
