/** Items that are their event and nothing more. */
import type { EventOf } from "../events/types.ts";
import type * as model from "./model.ts";

export const planItem = ({ entries }: EventOf<"plan.updated">): model.PlanItem => ({ kind: "plan", entries });

export const inputItem = ({ text, attachments, how }: EventOf<"input.added">): model.InputItem => ({
  kind: "input",
  text,
  attachments,
  how,
});

export const permissionItem = (event: EventOf<"permission.requested">): model.PermissionItem => {
  const { requestId, callId, tool, title, input, reason, diff, options, deadline } = event;
  return { kind: "permission", requestId, callId, tool, title, input, reason, diff, options, deadline };
};

export const questionItem = (event: EventOf<"question.requested">): model.QuestionItem => {
  const { requestId, callId, questions, deadline } = event;
  return { kind: "question", requestId, callId, questions, deadline };
};

export const noticeItem = ({ level, code, message, count }: EventOf<"notice">): model.NoticeItem => ({
  kind: "notice",
  level,
  code,
  message,
  count,
});

export const retryItem = ({ attempt, ofMax, delayMs, error }: EventOf<"agent.retrying">): model.RetryItem => ({
  kind: "retry",
  attempt,
  ofMax,
  delayMs,
  error,
});

export const limitItem = ({ window, status, usedPercent, resetsAt }: EventOf<"limit.updated">): model.LimitItem => ({
  kind: "limit",
  window,
  status,
  usedPercent,
  resetsAt,
});

export const compactedItem = ({ trigger, before, after }: EventOf<"context.compacted">): model.CompactedItem => ({
  kind: "compacted",
  trigger,
  before,
  after,
});

export const switchedItem = ({ from, to, reason }: EventOf<"agent.switched">): model.SwitchedItem => ({
  kind: "switched",
  from,
  to,
  reason,
});

export const changedItem = ({ model, mode, reset, by, reason }: EventOf<"session.updated">): model.ChangedItem => ({
  kind: "changed",
  model,
  mode,
  reset,
  by,
  reason,
});

export const exitItem = ({ code, signal }: EventOf<"process.exited">): model.ExitItem => ({
  kind: "exit",
  code,
  signal,
});

export const fileChange = (event: EventOf<"file.changed">): model.FileChange => {
  const { path, op, oldPath, diff, added, removed } = event;
  return { path, op, oldPath, diff, added, removed };
};

export const toolItem = (event: EventOf<"tool.started">): model.ToolItem => {
  const { callId, tool, nativeName, kind: toolKind, title, input, locations } = event;
  const native = { callId, tool, nativeName, toolKind, title, input, locations };
  return { kind: "tool", ...native, status: "running", progress: "", files: [], items: [] };
};
