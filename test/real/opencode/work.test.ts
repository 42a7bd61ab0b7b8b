/** Features that only OpenCode has: patches, to-do lists, plans in files, titles. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const patch = [
  "*** Begin Patch",
  "*** Add File: new.txt",
  "+hello",
  "*** Update File: notes.txt",
  "@@",
  "-hello",
  "+bye",
  " there",
  "*** Delete File: gone.txt",
  "*** Update File: old.txt",
  "*** Move to: moved.txt",
  "@@",
  "-a",
  "+b",
  "*** End Patch",
].join("\n");

const todos = [
  { content: "Look", status: "completed", priority: "high" },
  { content: "Write", status: "in_progress", priority: "low" },
  { content: "Give up", status: "cancelled", priority: "low" },
];

const scenarios: Scenario[] = [
  {
    name: "patch",
    steps: [[{ callNative: { name: "apply_patch", input: { patchText: patch } } }], [{ say: "Done." }]],
  },
  { name: "todo", steps: [[{ callNative: { name: "todowrite", input: { todos } } }], [{ say: "Done." }]] },
];

test(
  "applies a patch of several files, and reports a title, a to-do list and each change",
  { timeout: 240_000 },
  async () => {
    const real = await realAgent("opencode", { scenarios });
    for (const [name, text] of [
      ["notes.txt", "hello\nthere\n"],
      ["gone.txt", "x\n"],
      ["old.txt", "a\n"],
    ] as const)
      writeFileSync(join(real.cwd, name), text);
    const asked: PermissionRequest[] = [];
    const session = await real.session({
      model: "scripted/gpt-5-scripted",
      onPermission: (request) => (asked.push(request), "allow"),
    });
    const { events } = await real.turn(session, scenarioPrompt("patch"));
    expect(asked).toMatchObject([{ tool: "edit", title: "Edit new.txt, notes.txt, gone.txt +2 more" }]);
    const changes = all(events, "file.changed").map(({ path, op, oldPath = "" }) => `${op} ${oldPath} ${path}`);
    expect(changes.toSorted()).toEqual([
      "create  new.txt",
      "delete  gone.txt",
      "modify  notes.txt",
      "move old.txt moved.txt",
    ]);
    expect(all(events, "file.changed").find(({ path }) => path === "notes.txt")).toMatchObject({
      added: 1,
      removed: 1,
    });
    expect(readFileSync(join(real.cwd, "moved.txt"), "utf8")).toBe("b\n");
    const listed = await real.turn(session, scenarioPrompt("todo"));
    expect(one(listed.events, "plan.updated").entries).toEqual([
      { text: "Look", status: "completed", priority: "high" },
      { text: "Write", status: "in_progress", priority: "low" },
    ]);
    // The title is requested beside the turn and is not part of it.
    expect(await real.when(session, "session.updated", ({ title }) => title !== undefined)).toMatchObject({
      by: "agent",
    });
  },
);

test(
  "writes a plan into its file, shows that file for approval and carries it out in mode ask",
  { timeout: 240_000 },
  async () => {
    const real = await realAgent("opencode", {
      scenarios: [
        {
          name: "planned",
          steps: [
            [{ callNative: { name: "write", input: { filePath: "{arg}", content: "# The plan\n\n1. Write it\n" } } }],
            [{ callNative: { name: "plan_exit", input: {} } }],
            [{ call: { tool: "write", path: "hello.txt", text: "hello world\n" } }],
            [{ say: "Carried out." }],
          ],
        },
      ],
    });
    const asked: PermissionRequest[] = [];
    const session = await real.session({ mode: "plan", onPermission: (request) => (asked.push(request), "allow") });
    await real.turn(session, scenarioPrompt("text"));
    const told = JSON.stringify(real.model.requests.at(-1)?.body);
    const file = /[^\s"\\]*\.opencode\/plans\/[\w-]+\.md/.exec(told)?.[0] ?? "";
    expect(file).toContain(real.cwd);
    const { result } = await real.turn(session, scenarioPrompt("planned", file));
    expect(asked.map(({ tool }) => tool)).toEqual(["plan", "write"]);
    expect(asked[0]?.input).toMatchObject({ plan: "# The plan\n\n1. Write it\n" });
    expect(result).toMatchObject({ outcome: "done", text: "Carried out." });
    expect(await real.when(session, "session.updated", ({ mode }) => mode === "ask")).toMatchObject({
      nativeMode: "build",
    });
  },
);
