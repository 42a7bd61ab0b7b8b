/**
 * What a subagent does. Its calls have a mark, which does not say whose call started it, and its words have none. But while a call of
 * its own is under way the agent itself says nothing: the words are those of the subagent that it waits for.
 */
import type { AcpCall } from "../../drivers/acp/index.ts";
import { record, text } from "../../drivers/acp/read.ts";
import type { Wire } from "../../drivers/acp/read.ts";

export function parentOf(update: Wire, open: readonly AcpCall[]): string | undefined {
  const waitedFor = open.findLast(isTask)?.id;
  if (waitedFor === undefined) return undefined;
  const says = update["sessionUpdate"];
  if (says === "agent_message_chunk" || says === "agent_thought_chunk") return waitedFor;
  return agentIn(update) === undefined || update["toolCallId"] === waitedFor ? undefined : waitedFor;
}

function isTask({ input, meta }: AcpCall): boolean {
  const { agent_type: type, mode } = record(input);
  return typeof type === "string" && mode !== "background" && markIn(meta) === undefined;
}

function agentIn(update: Wire): string | undefined {
  return markIn(record(update["_meta"]));
}

function markIn(meta: Wire): string | undefined {
  return text(record(meta["github.com/copilot"])["agentId"]);
}
