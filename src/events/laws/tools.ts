import type { CreateLaw } from "./law.ts";

/**
 * Law 2: every call starts once in a session and ends once, before its turn ends. Events about a call (progress, a
 * permission, a question, a task, an event of a subagent) refer to a call that started. `toolCalls` counts all calls,
 * including those of subagents.
 */
export const tools: CreateLaw = (report, options) => {
  const known = new Set<string>();
  const open = new Set<string>();
  let count = 0;

  return {
    push(event) {
      const mentioned = (what: string, callId: string | undefined): void => {
        if (callId !== undefined && !known.has(callId))
          report(event.seq, `${what} is of call ${callId}, which never started`);
      };
      const running = (callId: string): void => {
        if (!open.has(callId)) report(event.seq, `${event.type} is of call ${callId}, which is not running`);
      };
      mentioned("the parent", event.parent);
      switch (event.type) {
        case "turn.started":
          count = 0;
          return;
        case "tool.started":
          if (known.has(event.callId)) report(event.seq, `call ${event.callId} started twice`);
          known.add(event.callId);
          open.add(event.callId);
          count++;
          return;
        case "tool.progress":
          return running(event.callId);
        case "tool.completed":
        case "tool.failed":
          running(event.callId);
          open.delete(event.callId);
          return;
        case "permission.requested":
          return running(event.callId);
        case "question.requested":
        case "task.started":
        case "task.updated":
          return mentioned(event.type, event.callId);
        case "turn.completed":
          for (const callId of open) report(event.seq, `call ${callId} did not end before its turn`);
          open.clear();
          if (event.toolCalls !== count) report(event.seq, `toolCalls is ${event.toolCalls}, but ${count} started`);
          return;
        default:
      }
    },
    end(seq) {
      if (options.open === true) return;
      for (const callId of open) report(seq, `call ${callId} never ended`);
    },
  };
};
