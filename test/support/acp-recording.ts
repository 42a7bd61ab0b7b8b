/** Replays a recorded ACP conversation through the whole agent and the core. */
import type { AgentEntry } from "../../src/agents/contract.ts";
import { createReins, type PermissionReply, type ReinsEvent } from "../../src/index.ts";
import { replayAgent } from "../../src/testing/index.ts";
import { turnsIn, type Line, type RecordedTurn } from "../fixtures/acp/read.ts";
import { testFolder } from "./core.ts";
import { everything } from "./toy.ts";

/** Replays every turn with its permissions and cancels; returns all events of the session, checked against the laws. */
export async function playAcpRecording(
  entry: AgentEntry,
  lines: readonly Line[],
  { env, resume }: { env?: Record<string, string>; resume?: string | undefined } = {},
): Promise<ReinsEvent[]> {
  const agents = [replayAgent(entry, { entries: lines, meta: undefined }, { deadlineMs: 20_000 })];
  const cwd = testFolder();
  await using reins = createReins({ guardian: false, agents, env: { PATH: process.env["PATH"], HOME: cwd, ...env } });
  let turn: RecordedTurn | undefined;
  let answers: (string | undefined)[] = [];
  const session = await reins.session({
    agent: entry.id,
    cwd,
    resume,
    onPermission: ({ options }): PermissionReply | Promise<PermissionReply> => {
      const optionId = answers.shift();
      const option = options.find(({ id }) => id === optionId);
      if (option === undefined && turn?.cancelled === true) {
        void session.cancel();
        return new Promise(() => {});
      }
      if (option === undefined) return "deny";
      return { decision: option.kind.startsWith("allow") ? "allow" : "deny", optionId };
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
