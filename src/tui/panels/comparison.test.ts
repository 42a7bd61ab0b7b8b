/** `/compare` on real worktrees with the demo agent, in this process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { managedAgent } from "../../../test/support/managed-agent.ts";
import { git, repository } from "../../../test/support/repository.ts";
import { keys, openTui, type Tui } from "../../../test/support/tui.ts";
import { themes } from "../themes.ts";
import { entryItem } from "./comparison.ts";

function opened(more: Parameters<typeof openTui>[0] = {}): Tui {
  return openTui({ prepare: repository, keep: true, columns: 120, rows: 30, ...more });
}

test("runs one prompt in a worktree: progress, its request, its session, its changes, applied", async () => {
  const tui = opened({ agents: [managedAgent("toy", {}, { found: { ready: false } })] });
  await tui.shows("Demo");
  tui.send("/compare edit a.txt one -> two");
  await tui.shows("Compare: which agents?");
  expect(tui.screen()).toContain("☑ Demo");
  expect(tui.screen()).not.toContain("Toy  ");
  tui.type(keys.enter);
  await tui.shows("Comparison: edit a.txt one -> two");
  await tui.shows(/Demo +waiting for you/);
  // The screen stays in its session; Enter opens the other one.
  tui.type(keys.enter);
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.hides("Waiting for your answer");
  tui.type(`${keys.ctrl("x")}k`);
  await tui.shows("Comparisons");
  await tui.shows("❯ edit a.txt one -> two");
  tui.type(keys.enter);
  await tui.shows(/Demo +finished · 1 file \+1 −1/);
  tui.type(keys.ctrl("v"));
  await tui.shows("Changes of Demo");
  await tui.shows("two");
  tui.type(keys.escape);
  expect(readFileSync(join(tui.cwd, "a.txt"), "utf8")).toBe("one\n");
  tui.type(`${keys.ctrl("x")}k`);
  await tui.shows("❯ edit a.txt one -> two");
  tui.type(keys.enter);
  await tui.shows(/Demo +finished/);
  tui.type(keys.ctrl("t"));
  await tui.shows("Keep the changes of Demo?");
  tui.type("y");
  await tui.shows("✓ 1 file of Demo is in the folder.");
  expect(readFileSync(join(tui.cwd, "a.txt"), "utf8")).toBe("two\n");
  tui.send("/compare");
  await tui.shows("❯ edit a.txt one -> two");
  tui.type(keys.enter);
  await tui.shows("taken");
  tui.type(keys.ctrl("x"));
  await tui.shows("Remove this comparison?");
  tui.type("y");
  await tui.shows("Removed.");
  expect(git(tui.cwd, "worktree", "list").split("\n")).toHaveLength(1);
});

test("an agent takes part once with each model that is chosen for it", async () => {
  const tui = opened();
  await tui.shows("Demo");
  tui.send("/compare say hello");
  await tui.shows("☑ Demo");
  tui.type(keys.ctrl("o"));
  await tui.shows("Model of Demo");
  await tui.shows("scripted");
  tui.type(keys.enter);
  await tui.shows("☑ Demo (scripted)");
  await tui.shows(/☐ Demo\s/);
  tui.type(`${keys.up}${keys.ctrl("t")}`);
  await tui.shows(/☑ Demo\s/);
  tui.type(keys.enter);
  await tui.shows(/Demo +finished/);
  await tui.shows(/Demo \(scripted\) +finished/);
  const [made] = await tui.reins.comparisons.list();
  expect(made!.entries.map(({ agent, model }) => ({ agent, model }))).toEqual([
    { agent: "demo", model: undefined },
    { agent: "demo", model: "scripted" },
  ]);
});

test("says what to do in a folder without a repository, and leaves nothing open", async () => {
  const tui = openTui({ columns: 120 });
  await tui.shows("Demo");
  tui.send("/compare say hello");
  await tui.shows("Compare: which agents?");
  tui.type(keys.enter);
  await tui.shows("is not in a git repository");
  expect(tui.screen()).toContain("git init");
});

test("shows an entry in one row as inert text with its state and counts", () => {
  const entry = {
    ...{ number: 2, agent: "x\u001b[2J", branch: "b", folder: "/w", patch: "", cut: false },
    state: "failed",
    files: [
      { path: "a", change: "modified", added: 2, removed: 1 },
      { path: "b", change: "added" },
    ],
    error: { code: "agent_error", message: "It\nbroke." },
  } as const;
  const item = entryItem({ theme: themes.none, agents: [] }, entry);
  expect(item).toMatchObject({ id: "2", detail: "failed · 2 files +2 −1 · It broke." });
  expect(item.label).not.toContain("\u001b");
});
