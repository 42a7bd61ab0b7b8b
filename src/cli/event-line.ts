import type { ReinsEvent } from "../events/types.ts";

type Style = "dim" | "red" | "yellow" | "cyan";

interface EventLine {
  readonly text: string;
  readonly style?: Style;
}

const marks = { pending: "☐", in_progress: "▶", completed: "☑" } as const;

/**
 * What a person reads of an event beside the agent's text; undefined for what is said elsewhere or says nothing.
 * `titles` has the calls that are open, and every task.
 */
export function describeEvent(event: ReinsEvent, titles: ReadonlyMap<string, string>): EventLine | undefined {
  switch (event.type) {
    case "session.started":
      return {
        text: [event.agent, event.modelLabel ?? event.model, `mode ${event.mode}`].filter(Boolean).join(" · "),
        style: "dim",
      };
    case "thought.completed":
      return event.text.trim() === "" ? undefined : { text: event.text.trim().replaceAll(/^/gm, "│ "), style: "dim" };
    case "tool.started":
      return { text: `● ${event.title}`, style: "cyan" };
    case "tool.completed":
      return event.exitCode === undefined || event.exitCode === 0
        ? undefined
        : { text: `  ended with code ${event.exitCode}`, style: "yellow" };
    case "tool.failed":
      return { text: `✗ ${titles.get(event.callId) ?? "A tool"}: ${event.error.message}`, style: "red" };
    case "file.changed":
      return { text: `  ${changed[event.op]} ${event.path}${counts(event)}`, style: "dim" };
    case "task.started":
      // The line of its call has said it.
      return titles.has(event.callId ?? "") ? undefined : { text: `◌ In the background: ${event.title}`, style: "dim" };
    case "task.updated":
      if (event.status === "running" || titles.has(event.callId ?? "")) return undefined;
      return {
        text: `◌ ${event.title ?? titles.get(event.taskId) ?? "Background work"}: ${event.status}`,
        style: "dim",
      };
    case "plan.updated":
      return { text: event.entries.map((entry) => `${marks[entry.status]} ${entry.text}`).join("\n"), style: "dim" };
    case "permission.resolved":
      return event.by === "policy" && event.outcome === "denied"
        ? { text: event.message ?? "Denied by the mode.", style: "yellow" }
        : undefined;
    case "limit.updated":
      return event.status === "ok" ? undefined : { text: limit(event), style: "yellow" };
    case "context.compacted":
      return { text: "The conversation was shortened to fit the model's context.", style: "dim" };
    case "agent.retrying":
      return {
        text: `Trying again (attempt ${event.attempt}${event.ofMax === undefined ? "" : ` of ${event.ofMax}`}): ${event.error.message}`,
        style: "yellow",
      };
    case "agent.switched":
      return { text: `${event.from} hands over to ${event.to} (${event.reason}).`, style: "yellow" };
    case "notice":
      return { text: event.message, style: event.level === "info" ? "dim" : "yellow" };
    default:
      return undefined;
  }
}

const changed = { create: "created", modify: "changed", delete: "deleted", move: "moved" } as const;

function counts({ added, removed }: { added?: number | undefined; removed?: number | undefined }): string {
  return added === undefined || removed === undefined ? "" : ` (+${added} −${removed})`;
}

function limit({ window, usedPercent, resetsAt, status }: Extract<ReinsEvent, { type: "limit.updated" }>): string {
  const used =
    status === "reached"
      ? "is used up"
      : usedPercent === undefined
        ? "is nearly used up"
        : `is used to ${usedPercent} %`;
  return `The ${window} limit ${used}${resetsAt === undefined ? "" : `; it begins anew at ${resetsAt}`}.`;
}
