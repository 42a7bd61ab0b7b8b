/** Cursor over ACP with the traps of its stand-in: no tool runs unnoticed without permission, and nothing is asked twice. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { realAgent } from "../support/real-agent.ts";

type Traps = NonNullable<Parameters<typeof cursorStandIn>[0]>["traps"];

const cursor = (traps: Traps = {}, env: Record<string, string> = {}) =>
  realAgent("cursor", { env: { REINS_CURSOR_COMMAND: cursorStandIn({ traps }), ...env } });

function asking(reply: "allow" | "deny") {
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest) => {
    asked.push(request);
    return reply;
  };
  return { asked, onPermission };
}

test("ends the turn with one sentence when hooks do not run and an edit was not asked", async () => {
  const real = await cursor({ NO_PLUGIN_HOOKS: true });
  const { asked, onPermission } = asking("deny");
  const session = await real.session({ mode: "ask", onPermission });
  const { result, events } = await real.turn(session, scenarioPrompt("write"));
  expect(asked).toEqual([]);
  const said = events.flatMap((event) => (event.type === "notice" && event.code === "hooks" ? [event.message] : []));
  expect(said).toEqual([expect.stringContaining("REINS_CURSOR_HOOKS=project")]);
  expect(result).toMatchObject({ outcome: "failed", error: { code: "permission_denied" } });
  expect(result.error?.message).toContain("without asking");
  expect(result.error?.help).toBeTruthy();
});

test("asks once with a version that asks about edits too", async () => {
  const real = await cursor({ ASKS_EDITS: true });
  const { asked, onPermission } = asking("allow");
  const session = await real.session({ mode: "ask", onPermission });
  const { result } = await real.turn(session, scenarioPrompt("write"));
  expect(asked.map(({ tool }) => tool)).toEqual(["write"]);
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["hello.txt"] });
});

test("supports a version that waits for an answer to notifications and uses other method names", async () => {
  const real = await cursor({ EXTENSION_REQUESTS: true, UNDERSCORE: true });
  const session = await real.session({ mode: "full", onQuestion: ({ questions }) => ({ [questions[0]!.id]: "Blue" }) });
  const delegated = await real.turn(session, scenarioPrompt("subagent"));
  expect(delegated.result).toMatchObject({ outcome: "done", toolCalls: 1 });
  const questioned = await real.turn(session, scenarioPrompt("question"));
  expect(questioned.result.text).toContain("Blue");
});

test("reports a rejected command as denied although the program reports it as completed", async () => {
  const real = await cursor({ NO_PLUGIN_HOOKS: true });
  const { asked, onPermission } = asking("deny");
  const session = await real.session({ mode: "ask", onPermission });
  const { events } = await real.turn(session, scenarioPrompt("shell", "touch never.txt"));
  expect(asked.map(({ tool, title }) => [tool, title])).toEqual([["shell", "Run touch never.txt"]]);
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "never.txt"))).toBe(false);
});

test("uses the stream with a version before ACP, in the modes that it has there", async () => {
  const real = await cursor({ VERSION: "2026.01.28-0a1b2c3", NO_ACP: true }, { REINS_CURSOR_TRUST: "1" });
  const session = await real.session({ mode: "full" });
  const { result } = await real.turn(session, scenarioPrompt("write"));
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["hello.txt"] });
  await expect(real.session({ mode: "ask" })).rejects.toMatchObject({ code: "version_unsupported" });
});
