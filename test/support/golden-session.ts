/** A session with everything that an interface has to show: shared by the terminal, the page, `reins log` and the exports. */
import type { Store } from "../../src/core/log/types.ts";
import { EventBatch } from "../../src/core/log/event-batch.ts";
import { diffStats, unifiedDiff } from "../../src/events/diff.ts";
import type { EventPayload, ReinsEvent } from "../../src/events/types.ts";
import { about, stamped } from "./store.ts";

type Call = Extract<EventPayload, { readonly type: "tool.started" }>;

const started = (callId: string, tool: Call["tool"], kind: Call["kind"], title: string, input: unknown): Call => ({
  type: "tool.started",
  callId,
  tool,
  nativeName: tool,
  kind,
  title,
  input,
});

const completed = (callId: string, text: string, exitCode?: number): EventPayload => ({
  type: "tool.completed",
  callId,
  output: { text, bytes: Buffer.byteLength(text), kept: Buffer.byteLength(text) },
  durationMs: 120,
  ...(exitCode !== undefined && { exitCode }),
});

const asked = (requestId: string, callId: string, tool: Call["tool"], title: string): EventPayload => ({
  type: "permission.requested",
  requestId,
  callId,
  tool,
  title,
  input: {},
  options: [
    { id: "yes", kind: "allow_once", label: "Allow once" },
    { id: "no", kind: "reject_once", label: "Deny" },
  ],
});

const plan = (...states: readonly ("completed" | "in_progress" | "pending")[]): EventPayload => ({
  type: "plan.updated",
  entries: states.map((status, index) => ({ text: ["Look", "Paint the door", "Tell"][index] ?? "", status })),
});

const doorDiff = unifiedDiff("door.txt", "a red door\nof oak\n", "a blue door\nof oak\n");
const porchDiff = unifiedDiff("porch.log", undefined, "no porch\n");

const firstTurn: readonly EventPayload[] = [
  { type: "turn.started", origin: "prompt", input: { text: "Paint the door blue.\nAsk before you do." } },
  { type: "thought.delta", messageId: "t1", text: "A door. " },
  { type: "thought.completed", messageId: "t1", text: "A door. I look at it first." },
  { type: "message.delta", messageId: "m1", text: "I look at " },
  { type: "message.delta", messageId: "m1", text: "the **door** first." },
  { type: "message.completed", messageId: "m1", text: "I look at the **door** first." },
  plan("in_progress", "pending", "pending"),
  started("c1", "task", "think", "Task: find every door", { prompt: "Find every door." }),
  { type: "message.completed", messageId: "s1", text: "One door was found.", parent: "c1" },
  { ...started("c2", "read", "read", "Read door.txt", { path: "door.txt" }), parent: "c1" },
  { ...completed("c2", "a red door\nof oak\n"), parent: "c1" },
  completed("c1", "door.txt"),
  plan("completed", "in_progress", "pending"),
  {
    type: "question.requested",
    requestId: "q1",
    callId: "c1",
    questions: [{ id: "shade", text: "Which blue?", options: [{ label: "sky" }, { label: "sea" }], multiple: false }],
  },
  { type: "question.resolved", requestId: "q1", outcome: "answered", by: "person", answers: { shade: ["sea"] } },
  started("c3", "edit", "edit", "Edit door.txt", { path: "door.txt" }),
  asked("p1", "c3", "edit", "Edit door.txt"),
  { type: "permission.resolved", requestId: "p1", outcome: "allowed", by: "person", optionId: "yes" },
  {
    type: "file.changed",
    path: "door.txt",
    op: "modify",
    diff: doorDiff,
    ...diffStats(doorDiff),
    callId: "c3",
  },
  completed("c3", "door.txt was changed."),
  { type: "input.added", text: "And be quick.", how: "steer" },
  started("c4", "shell", "execute", "Run rm -rf old-door", { command: "rm -rf old-door" }),
  asked("p2", "c4", "shell", "Run rm -rf old-door"),
  {
    type: "permission.resolved",
    requestId: "p2",
    outcome: "denied",
    by: "person",
    optionId: "no",
    message: "Keep the old one.",
  },
  {
    type: "tool.failed",
    callId: "c4",
    reason: "denied",
    error: { message: "Keep the old one." },
  },
  started("c5", "shell", "execute", "Run test -d porch", { command: "test -d porch" }),
  { type: "file.changed", path: "porch.log", op: "create", diff: porchDiff, ...diffStats(porchDiff), callId: "c5" },
  completed("c5", "", 1),
  { type: "notice", level: "warning", code: "paint", message: "There is little paint left." },
  {
    type: "message.completed",
    messageId: "m2",
    text: "The door is blue:\n\n- one coat\n- `door.txt` changed",
  },
  plan("completed", "completed", "completed"),
  {
    type: "turn.completed",
    outcome: "done",
    text: "The door is blue:\n\n- one coat\n- `door.txt` changed",
    durationMs: 4_200,
    toolCalls: 5,
    filesChanged: ["door.txt", "porch.log"],
  },
];

const secondTurn: readonly EventPayload[] = [
  { type: "turn.started", origin: "prompt", input: { text: "Now the window." } },
  {
    type: "agent.retrying",
    attempt: 1,
    ofMax: 2,
    delayMs: 500,
    error: { code: "network", message: "The line is dead.", retryable: true },
  },
  { type: "agent.switched", from: "demo", to: "native", reason: "network" },
  started("c6", "read", "read", "Read window.txt", { path: "window.txt" }),
  {
    type: "tool.failed",
    callId: "c6",
    reason: "error",
    error: { message: "There is no window.txt." },
  },
  {
    type: "turn.completed",
    outcome: "failed",
    error: { code: "network", message: "Nobody could be reached.", retryable: true },
    text: "",
    durationMs: 1_500,
    toolCalls: 1,
    filesChanged: [],
  },
];

/** The facts that each of them has to show, in this order. */
export const goldenStory: readonly string[] = [
  "you: Paint the door blue. Ask before you do.",
  "thought: A door. I look at it first.",
  "said: I look at the door first.",
  "plan: 0 of 3 done, now Look",
  "tool: Task: find every door",
  "  said: One door was found.",
  "  tool: Read door.txt",
  "plan: 1 of 3 done, now Paint the door",
  "asked: Which blue? · answered by person: sea",
  "tool: Edit door.txt",
  "  changed door.txt (+1 −1)",
  "asked: Edit door.txt · allowed by person",
  "you: And be quick.",
  "tool: Run rm -rf old-door · denied: Keep the old one.",
  "asked: Run rm -rf old-door · denied by person: Keep the old one.",
  "tool: Run test -d porch · exit code 1",
  "  created porch.log (+1 −0)",
  "note: There is little paint left.",
  "said: The door is blue: one coat door.txt changed",
  "plan: 3 of 3 done",
  "end: done in 4.2 s · 5 tool calls · 2 files changed",
  "you: Now the window.",
  "note: Retry 1 of 2 in 500 ms: The line is dead.",
  "note: Demo handed over to native: network",
  "tool: Read window.txt · failed: There is no window.txt.",
  "end: failed after 1.5 s · 1 tool call: Nobody could be reached.",
];
export const goldenDiff: readonly string[] = ["-a red door", "+a blue door", " of oak", "+no porch"];

export function goldenEvents(id: string, folder: string): readonly ReinsEvent[] {
  return stamped(id, [
    {
      type: "session.started",
      mode: "ask",
      cwd: folder,
      resumed: false,
      state: "demo:1:00000000-0000-4000-8000-00000000000b:1",
      model: "scripted",
    },
    { type: "session.updated", title: "Painting the door", by: "person" },
    ...firstTurn,
    ...secondTurn,
  ]);
}

export function keepGoldenSession(store: Store, id: string, folder: string): void {
  const log = store.open(id, about({ cwd: folder }));
  log.append(new EventBatch(goldenEvents(id, folder)));
  log.end();
}
