/**
 * `cursor/task` and `cursor/generate_image`: work that Cursor reports. It may have told of the call in the usual way too, and then that
 * tells its end.
 */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { AcpMethod } from "../../../drivers/acp/index.ts";
import { number, record, text } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";

export const task: AcpMethod = (params, knows) => {
  const callId = text(params["toolCallId"]);
  if (callId === undefined) return undefined;
  const { description, prompt, model, agentId, durationMs } = params;
  const over = number(durationMs) !== undefined;
  const rawInput = { description, prompt, subagentType: typeOf(params["subagentType"]), model, agentId };
  const update = { name: "task", title: text(description), rawInput };
  const outcome = { outcome: "completed", agentId, durationMs };
  return {
    says: "updates",
    updates: [updateOf(callId, update, knows(callId) ? undefined : over ? "completed" : "in_progress")],
    answer: { outcome },
  };
};

/** A kind of its own is named inside an object. */
function typeOf(type: unknown): string | undefined {
  return text(type) ?? text(record(type)["custom"]) ?? text(record(record(type)["custom"])["name"]);
}

export const generateImage: AcpMethod = (params, knows) => {
  const callId = text(params["toolCallId"]);
  if (callId === undefined) return undefined;
  const { description, referenceImagePaths } = params;
  const filePath = text(params["filePath"]);
  const rawInput = { description, path: filePath, referenceImagePaths };
  const content = filePath === undefined ? {} : { content: [{ type: "content", content: linkTo(filePath) }] };
  const status = filePath === undefined ? "in_progress" : "completed";
  const update = { name: "generate_image", title: text(description), rawInput, ...content };
  return {
    says: "updates",
    updates: [updateOf(callId, update, knows(callId) ? undefined : status)],
    // Reins makes no images: it can only take note of one.
    answer: {
      outcome:
        filePath === undefined
          ? { outcome: "rejected", reason: "Reins makes no images." }
          : { outcome: "generated", filePath },
    },
  };
};

function updateOf(toolCallId: string, more: Wire, status: string | undefined): Wire {
  return { sessionUpdate: "tool_call_update", toolCallId, ...more, ...(status !== undefined && { status }) };
}

function linkTo(path: string): Wire {
  return { type: "resource_link", uri: isAbsolute(path) ? pathToFileURL(path).href : path, name: path };
}
