/** Replays an earlier conversation before `session/load` is answered: old calls get new ids. */
import { fieldsOf, listOf, parsed, textOf, type ChatMessage } from "../../agent-loop/index.ts";
import type { AcpChannel } from "./acp-channel.ts";
import { endOf, lookOf } from "./tool-call.ts";

export function replay(messages: readonly ChatMessage[], channel: AcpChannel): void {
  let turn = -1;
  let calls = 0;
  for (const [index, { role, content, tool_calls: spelled = [] }] of messages.entries()) {
    const text = wordsOf(content);
    if (role === "user") {
      turn++;
      channel.update("user_message_chunk", { content: { type: "text", text } });
    } else if (role === "assistant") {
      if (text !== "") channel.update("agent_message_chunk", { content: { type: "text", text } });
      for (const call of spelled) {
        const { name } = call.function;
        const input = fieldsOf(parsed(call.function.arguments));
        const id = `replay-${turn}-${++calls}`;
        const use = { id, call: { id, name, input }, modelCallId: "", startedAt: Date.now(), nested: false };
        const result = messages.slice(index).find(({ tool_call_id: of }) => of === call.id);
        const done = { kind: "done", result: { ok: true, text: wordsOf(result?.content ?? ""), facts: {} } } as const;
        channel.update("tool_call", { toolCallId: id, ...lookOf(use), status: "pending" });
        const edits = name === "write_file" || name === "edit_file" || name === "delete_file";
        const end = edits ? {} : endOf(use, done);
        channel.update("tool_call_update", { toolCallId: id, status: "completed", ...end });
      }
    }
  }
}

const wordsOf = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map((part) => textOf(fieldsOf(part)["text"]))
        .join("");
