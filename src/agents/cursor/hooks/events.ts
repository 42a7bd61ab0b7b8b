/** The events of Cursor's hooks, which of them wait for an answer, and the first version that knows each. */

/** In the order of Cursor's documentation. Each date is that of the first version that accepts the name, by its changelog. */
const since = {
  sessionStart: "2026.02.01",
  sessionEnd: "2026.02.01",
  preToolUse: "2026.02.01",
  postToolUse: "2026.02.01",
  postToolUseFailure: "2026.02.01",
  subagentStart: "2026.03.01",
  subagentStop: "2026.03.01",
  beforeShellExecution: "",
  afterShellExecution: "",
  beforeMCPExecution: "",
  afterMCPExecution: "",
  beforeReadFile: "",
  afterFileEdit: "",
  beforeSubmitPrompt: "",
  preCompact: "2026.02.01",
  stop: "",
  afterAgentResponse: "2026.04.01",
  afterAgentThought: "2026.04.01",
  beforeTabFileRead: "",
  afterTabFileEdit: "",
  workspaceOpen: "2026.06.09",
} as const;

export type HookEvent = keyof typeof since;

export const hookEvents = Object.keys(since) as readonly HookEvent[];

const ofTheEditor: ReadonlySet<HookEvent> = new Set(["beforeTabFileRead", "afterTabFileEdit", "workspaceOpen"]);

/** Cursor waits for an answer to these, and without one the action must not happen. */
const gating: ReadonlySet<HookEvent> = new Set([
  "preToolUse",
  "subagentStart",
  "beforeShellExecution",
  "beforeMCPExecution",
  "beforeReadFile",
  "beforeSubmitPrompt",
  "beforeTabFileRead",
]);

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(since, name);
}

export function gates(event: HookEvent): boolean {
  return gating.has(event);
}

export const eventsOfProgram: readonly HookEvent[] = hookEvents.filter((event) => !ofTheEditor.has(event));

/** A version ignores the whole file when it does not know an event, so an unknown version gets only the oldest events. */
export function eventsFor(version: string | undefined): readonly HookEvent[] {
  return eventsOfProgram.filter((event) => isSince(version, since[event]));
}

/** For an unknown version: true if any version has the event. */
export function knowsEvent(version: string | undefined, name: string): boolean {
  return isHookEvent(name) && (version === undefined || isSince(version, since[name]));
}

export function runsPlugins(version: string | undefined): boolean {
  return isSince(version, "2026.08.11");
}

function isSince(version: string | undefined, day: string): boolean {
  return day === "" || (version !== undefined && /^\d{4}\.\d{2}\.\d{2}/.test(version) && version.slice(0, 10) >= day);
}
