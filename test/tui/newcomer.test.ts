/** A machine without agents and a person who has read nothing: each step is one that the screen names. */
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, Place } from "../support/command.ts";
import { Tmux } from "./support/tmux.ts";

/** A folder that contains only `reins`. */
function commandFolder(place: Place): string {
  const folder = join(place.home, "bin");
  mkdirSync(folder);
  symlinkSync(bin, join(folder, "reins"));
  symlinkSync(process.execPath, join(folder, "node"));
  return folder;
}

test("a newcomer completes a turn with an approval in tmux by following the screen", async () => {
  using place = new Place();
  const env = { ...place.env, PATH: `${commandFolder(place)}:/usr/bin:/bin` };
  using tmux = new Tmux({ cwd: place.cwd, env });
  await tmux.shows("shell$");
  tmux.type("reins");
  tmux.press("Enter");
  await tmux.shows("No coding agent is ready");
  // The placeholder says what the prompt is for.
  await tmux.shows("What should the agent do?");
  tmux.type("Hello, what can you do?");
  await tmux.shows("Hello, what can you do?");
  tmux.press("Enter");
  await tmux.shows("y Allow once");
  tmux.press("y");
  await tmux.shows(/Worked/);
  expect(existsSync(join(place.cwd, "hello-from-reins.md"))).toBe(true);
  tmux.press("C-c");
  await tmux.shows("Press Ctrl+C again to quit.");
  tmux.press("C-c");
  await tmux.shows(/shell\$$/);
  expect(tmux.value("alternate_on")).toBe("0");
});
