/** The repository bar from the poll to the agent: read, shown, pressed, confirmed, received. `gh` is a stand-in executable. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "../support/command.ts";
import { shellScript } from "../support/processes.ts";
import { keys, newPlace, lastSession, openInterface } from "./support/interface.ts";

/** A repository with one commit on a branch, and an upstream that has it. */
function repository(place: Place): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", args, { cwd: place.cwd, env: { ...place.env }, stdio: "ignore" });
  const origin = join(place.home, "origin.git");
  execFileSync("git", ["init", "--quiet", "--bare", origin], { env: { ...place.env } });
  git("init", "--quiet", "-b", "feature");
  git("config", "user.email", "somebody@example.invalid");
  git("config", "user.name", "Somebody");
  writeFileSync(join(place.cwd, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "First");
  git("remote", "add", "origin", origin);
  git("push", "--quiet", "-u", "origin", "feature");
}

/** A folder with a fake `gh` that runs this script, to put first on the PATH. */
function ghFolder(place: Place, body: string): string {
  const folder = join(place.home, "gh-bin");
  mkdirSync(folder);
  shellScript(folder, "gh", body);
  return `${folder}:/usr/bin:/bin`;
}

const pullRequest = {
  ...{ number: 7, url: "https://example.invalid/pull/7", title: "A change", state: "OPEN", isDraft: false },
  ...{ mergeable: "MERGEABLE", reviewDecision: "" },
  statusCheckRollup: [{ name: "build", status: "COMPLETED", conclusion: "FAILURE" }],
};

test("polls, shows the state, runs the action, and sends the prompt to the agent", async () => {
  const place = newPlace();
  repository(place);
  const PATH = ghFolder(
    place,
    `case "$1 $2" in "pr view") echo '${JSON.stringify(pullRequest)}' ;; *) echo '[]' ;; esac`,
  );
  const tui = await openInterface(["-a", "demo"], { place, columns: 110, rows: 40, env: { PATH } });
  await tui.shows(/> feature > CI FAILING \(PR #7\) \[Fix CI →\]/);
  tui.type(`${keys.ctrl("x")}b`);
  await tui.shows("The prompt, from Reins:");
  await tui.shows("send to demo");
  tui.type("y");
  // The agent repeats its prompt.
  await tui.shows("said “Find out why the checks of this pull request fail");
  const id = await lastSession(place);
  const { stdout, stderr } = await place.run(["log", id]);
  const log = stdout + stderr;
  expect(log).toContain("https://example.invalid/pull/7");
  expect(log).toMatch(/^> Find out why the checks/m);
});

test("is not blocked by a gh that hangs: the bar shows git's state, and the interface quits", async () => {
  const place = newPlace();
  repository(place);
  writeFileSync(join(place.cwd, "a.txt"), "two\n");
  const tui = await openInterface(["-a", "demo"], { place, env: { PATH: ghFolder(place, "exec sleep 600") } });
  await tui.send("say still here");
  await tui.shows(/^still here/m);
  await tui.shows(/> feature > DIRTY \[Commit & Push →\]/);
  expect(await tui.quit()).toBe(0);
});
