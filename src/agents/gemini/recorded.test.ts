/** A recorded conversation over ACP, played through the whole agent and the core. */
import { expect, test } from "vitest";
import { linesOf, turnsIn } from "../../../test/fixtures/acp/read.ts";
import type { RecordedTurn } from "../../../test/fixtures/acp/read.ts";
import { testFolder } from "../../../test/support/core.ts";
import { everything } from "../../../test/support/toy.ts";
import { createReins } from "../../index.ts";
import type { PermissionReply, ReinsEvent } from "../../index.ts";
import { replayAgent } from "../../testing/index.ts";

const entry = { id: "gemini", name: "Gemini CLI", load: () => import("./index.ts") };

async function play(name: string): Promise<ReinsEvent[]> {
  const lines = linesOf(name);
  const agents = [replayAgent(entry, { entries: lines, meta: undefined }, { deadlineMs: 2_000 })];
  const cwd = testFolder();
  const env = { PATH: process.env["PATH"], HOME: cwd, REINS_GEMINI_COMMAND: process.execPath };
  await using reins = createReins({ guardian: false, agents, env });
  let turn: RecordedTurn | undefined;
  let answers: (string | undefined)[] = [];
  const session = await reins.session({
    agent: "gemini",
    cwd,
    onPermission: ({ options }): PermissionReply | Promise<PermissionReply> => {
      const optionId = answers.shift();
      const option = options.find(({ id }) => id === optionId);
      if (option === undefined && turn?.cancelled === true) {
        void session.cancel();
        return new Promise(() => {});
      }
      return option?.kind.startsWith("allow") === true ? { decision: "allow", optionId } : "deny";
    },
  });
  for (turn of turnsIn(lines)) {
    answers = [...turn.answers];
    const running = session.prompt(turn.prompt);
    for await (const event of running)
      if (event.type === "message.delta" && turn.cancelled && turn.answers.length === 0) void running.cancel();
  }
  return await everything(session);
}

/** What was done, in short. */
function shape(events: readonly ReinsEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.started") return [`${event.tool} (${event.nativeName}): ${event.title}`];
    if (event.type === "tool.failed") return [`failed (${event.reason})`];
    if (event.type === "tool.completed") return [`done: ${event.output.text}`.trim()];
    if (event.type === "file.changed") return [`${event.op} ${event.path}`];
    if (event.type === "permission.requested") return [`asked: ${event.title} ${JSON.stringify(event.input)}`];
    if (event.type === "message.completed") return [`said: ${event.text}`];
    if (event.type === "thought.completed") return [`thought: ${event.text}`];
    if (event.type === "notice") return [`notice ${event.code}`];
    if (event.type === "turn.completed")
      return [`turn ${event.outcome} ${event.error?.code ?? ""} ${event.usage?.input ?? "-"}`];
    return [];
  });
}

test("every turn of a long conversation", async () => {
  expect(shape(await play("gemini-main"))).toMatchSnapshot();
});
