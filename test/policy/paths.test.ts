/** The table of paths in mode `edits`, with real writes: ordinary files are written without asking, all others need a person's approval. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CodexRequests } from "../../src/agents/codex/requests.ts";
import { proof } from "../../src/agents/native/proof.ts";
import { Incoming as OpencodeIncoming } from "../../src/agents/opencode/translate-incoming.ts";
import { Incoming as PiIncoming } from "../../src/agents/pi/translate-turns.ts";
import type { Reins, SessionOptions } from "../../src/core/api.ts";
import { holdsEveryTool } from "../../src/events/capabilities.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { createReins } from "../../src/index.ts";
import { scenarioPrompt, startScriptedModel, type Scenario, type ScriptedModel } from "../../src/testing/index.ts";
import { translatorOf } from "../fixtures/codex/replay.ts";
import { reinsWith } from "../support/core.ts";
import {
  pathPlace,
  pathTable,
  protectedFiles,
  sharedPathPlace,
  type PathPlace,
  type PathRow,
} from "../support/path-table.ts";
import { temporaryFolder } from "../support/processes.ts";
import { createPuppet } from "../support/puppet.ts";

/** Passes the path to the tool exactly as it stands in the table. */
const asSaid: Scenario = {
  name: "write-as-said",
  steps: [[{ callNative: { name: "write", input: { path: "{arg}", content: "after" } } }], [{ say: "Done." }]],
};
const home = temporaryFolder();
/** For agents that only ask and never write. */
const place = sharedPathPlace();
let model: ScriptedModel;
let reins: Reins;
beforeAll(async () => {
  model = await startScriptedModel({ proof, cwd: home.path, scenarios: [asSaid] });
  const env = { PATH: process.env["PATH"], HOME: home.path, REINS_HOME: home.path, ...proof.env(model.url) };
  reins = createReins({ guardian: false, env });
});
afterAll(async () => {
  await reins.close();
  await model.close();
  home[Symbol.dispose]();
});

/** Writes one file in mode `edits`; a person who is asked denies it. */
async function tried(
  { cwd, directories }: PathPlace,
  options: SessionOptions,
  prompt: string,
): Promise<"asked" | "not asked"> {
  let asked = false;
  const onPermission = (): "deny" => {
    asked = true;
    return "deny";
  };
  await using session = await reins.session({
    cwd,
    directories: [...directories],
    mode: "edits",
    onPermission,
    ...options,
  });
  await session.prompt(prompt).result;
  return asked ? "asked" : "not asked";
}

function expectFiles(place: PathPlace, before: Record<string, string>, row: PathRow): void {
  const written = row.where === "ordinary" && row.unwritable !== true ? { [row.writes!]: "after" } : {};
  expect(place.files()).toEqual({ ...before, ...written });
}

/** The paths that the demo agent's prompt language can express. */
const sayable = pathTable.filter(({ path }) => path !== "" && !path.includes("\0"));

describe("demo", () => {
  test.each(sayable)("$name ($path, $where)", async (row) => {
    const place = pathPlace();
    const before = place.files();
    const outcome = await tried(place, { agent: "demo" }, `write "${place.pathOf(row)}" after`);
    expectFiles(place, before, row);
    if (row.unwritable === undefined) expect(outcome).toBe(row.where === "protected" ? "asked" : "not asked");
  });
});

describe("native", () => {
  test.each(sayable)("$name ($path, $where)", async (row) => {
    const place = pathPlace();
    const before = place.files();
    const outcome = await tried(place, { agent: "native" }, scenarioPrompt("write-as-said", place.pathOf(row)));
    expectFiles(place, before, row);
    if (row.unwritable === undefined) expect(outcome).toBe(row.where === "ordinary" ? "not asked" : "asked");
  });
});

describe("an agent that asks before each edit", () => {
  test.each(pathTable)("$name ($path, $where)", async (row) => {
    const puppet = createPuppet();
    puppet.onPrompt = (session) => {
      session.say({
        type: "permission.requested",
        requestId: "p1",
        callId: "c1",
        tool: "write",
        title: "Write",
        input: {},
        locations: [{ path: place.pathOf(row) }],
        options: [
          { id: "yes", kind: "allow_once", label: "Yes" },
          { id: "no", kind: "reject_once", label: "No" },
        ],
      });
      session.say({ type: "turn.ended", outcome: "done" });
    };
    const session = await reinsWith(puppet).session({
      agent: "puppet",
      cwd: place.cwd,
      directories: [...place.directories],
      mode: "edits",
      onPermission: () => "deny",
    });
    await session.prompt("x").result;
    const decision = puppet.session.answers[0]?.answer.decision;
    expect(decision).toBe(row.where === "ordinary" ? "allow" : "deny");
  });
});

describe("codex, after a person allowed edits for the session", () => {
  test.each(pathTable)("$name ($path, $where)", (row) => {
    const { cwd, directories, pathOf } = place;
    const answered: string[] = [];
    const translator = translatorOf({ cwd });
    const requests = new CodexRequests({
      cwd,
      directories,
      protectedFiles,
      translator,
      respond: (id) => void answered.push(id),
      refuse: () => {},
      interrupt: () => {},
      planAnswered: () => {},
    });
    const asks = (id: string, path: string) => {
      const changes = [{ path, kind: { type: "update" }, diff: "" }];
      translator.notification("item/started", { item: { type: "fileChange", id: `item-${id}`, changes } });
      const params = { itemId: `item-${id}` };
      return requests.received({ id, method: "item/fileChange/requestApproval", params });
    };
    const [first] = asks("1", join(cwd, "a.txt"));
    if (first?.type !== "permission.requested") throw new Error("The agent did not ask for permission.");
    const always = first.options.find(({ kind }) => kind === "allow_always");
    requests.answer("1", { decision: "allow", optionId: always?.id });
    const events = asks("2", pathOf(row));
    expect(answered.includes("2") && events.length === 0).toBe(row.where === "ordinary" && row.path !== "");
  });
});

/** A call to write a file in the agent's own wire format, translated to `tool.held`. */
const heldBy: Readonly<Record<string, (cwd: string, path: string) => readonly AgentEvent[]>> = {
  pi(cwd, path) {
    const nothing = (): void => {};
    const acts = {
      respond: nothing,
      say: nothing,
      stop: nothing,
      stopRetrying: nothing,
      cancelAgain: nothing,
      kill: nothing,
    };
    const incoming = new PiIncoming({ cwd, home: home.path, prefix: "", title: "hold", ...acts });
    const placeholder = JSON.stringify({ toolName: "write", toolCallId: "c1", input: { path, content: "after" } });
    return incoming.request({ id: "h1", subtype: "input", body: { title: "hold", placeholder } });
  },
  opencode(cwd, path) {
    const nothing = (): void => {};
    const acts = { release: nothing, post: nothing, say: nothing, stop: nothing, abort: nothing, caughtUp: nothing };
    const options = {
      cwd,
      mode: "edits",
      session: "ses_1",
      servers: new Set<string>(),
      worker: () => "build",
    } as const;
    const incoming = new OpencodeIncoming({ ...options, ...acts });
    const part = { id: "p1", sessionID: "ses_1", messageID: "m1", callID: "c1", type: "tool", tool: "write" };
    const input = { filePath: path, content: "after" };
    incoming.translator.turns.sent();
    for (const properties of [
      { info: { id: "m1", sessionID: "ses_1", role: "assistant" } },
      { part: { ...part, state: { status: "running", input } } },
    ])
      incoming.event({ type: "info" in properties ? "message.updated" : "message.part.updated", properties });
    return incoming.requests.held("h1", { tool: "write", sessionID: "ses_1", callID: "c1", input });
  },
};

describe.each(Object.entries(heldBy))("%s, whose calls Reins judges", (_agent, held) => {
  test.each(pathTable)("$name ($path, $where)", async (row) => {
    const puppet = createPuppet({ capabilities: { ...holdsEveryTool, judge: "reins" } });
    const events = held(place.cwd, place.pathOf(row));
    expect(events).toMatchObject([{ type: "tool.held", requestId: "h1", tool: "write" }]);
    puppet.onPrompt = (session) => {
      for (const event of events) session.say(event);
      session.say({ type: "turn.ended", outcome: "done" });
    };
    const session = await reinsWith(puppet).session({
      agent: "puppet",
      cwd: place.cwd,
      directories: [...place.directories],
      mode: "edits",
      onPermission: () => "deny",
    });
    await session.prompt("x").result;
    expect(puppet.session.answers[0]?.answer.decision).toBe(row.where === "ordinary" ? "allow" : "deny");
  });
});
