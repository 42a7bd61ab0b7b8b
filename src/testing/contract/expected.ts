/**
 * The table of what every agent must report in each scenario, in the notation of `notation.ts`. Two agents may differ only by the
 * capabilities they declare (`if`). A scenario itself contains its checks beyond this sequence.
 */
import type { Row } from "./compare.ts";

const thought: Row = { if: "thinking", rows: ["thought"] };
const text: readonly Row[] = ["turn · message · done"];
const hello: readonly Row[] = ['turn · message "Hello from the scripted model." · done'];

/** The lines after a denial. */
const afterDenial: Row = { if: "afterDeny=continues", rows: ["message · done"], else: ["failed permission_denied"] };
/** A cancelled turn may end the agent's process. */
const afterCancel: readonly Row[] = [{ if: "!cancelKeepsProcess", rows: ["?session resumed"] }, ...hello];
/** The lines after the agent was killed. */
const afterKill: readonly Row[] = [{ if: "resume", rows: ["session resumed"], else: ["session"] }, ...hello];

const writes = (fate: string, file: string): readonly Row[] => [
  "turn",
  thought,
  `message · write: ${fate} · message · files ${file} created · done`,
];
const isDenied = (tool: string, fate: string): readonly Row[] => [`turn · message · ${tool}: ${fate}`, afterDenial];
const writeIsDenied = (fate: string): readonly Row[] => ["turn", thought, `message · write: ${fate}`, afterDenial];
/** The option is honoured if declared; otherwise each option that is not honoured needs a notice. */
const option = (
  condition: string,
  honoured: readonly Row[] = hello,
  notices: readonly Row[] = ["notice divergence"],
): readonly Row[] => [
  "session",
  {
    if: condition,
    rows: honoured,
    else: ["turn", ...notices, 'message "Hello from the scripted model." · done'],
  },
];
/** If the call is not reported, the texts before and after it appear as one message. */
const goesOn = (call: string): readonly Row[] => [
  { if: "toolsReported=all", rows: [call, "message"], else: [`?${call} · ?message`] },
  "done",
];
/** The agent may no longer know a tool that was disabled. Its model is told, and continues. */
const takenAway = (tool: string): readonly Row[] => goesOn(`${tool}: failed denied|error`);
/** Denied if every call waits for Reins; otherwise the tool is disabled, or the agent itself stops it. */
const kept = (kind: string, tool: string, before: readonly Row[]): readonly Row[] => [
  "turn",
  ...before,
  {
    if: `hold.${kind}=every`,
    rows: [`${tool}: asked, denied by policy, failed denied`, afterDenial],
    else: takenAway(tool),
  },
];
/** In its own plan mode, the agent may also ask, or deny the call itself. */
const planned = (tool: string, before: readonly Row[]): readonly Row[] => [
  "turn",
  ...before,
  {
    if: "afterDeny=continues",
    rows: goesOn(`${tool}: … failed denied|error`),
    else: [`${tool}: … failed denied|error · ?message · ?done · ?failed permission_denied`],
  },
];
/** A held call is denied; a call that a sandbox stops fails. */
const isHeld = (kind: string, tool: string, before: readonly Row[] = ["message"]): readonly Row[] => [
  "session · turn",
  ...before,
  {
    if: `hold.${kind}=every|unsafe_only`,
    rows: [`${tool}: … failed denied`, afterDenial],
    else: takenAway(tool),
  },
];

/** The events that each scenario must report, by scenario id. The same table holds for every agent; see `Row` for the format. */
export const expected: Readonly<Record<string, readonly Row[]>> = {
  // Answers.
  text: ["session", ...hello],
  deltas: ["session · turn · message", { if: "deltas", rows: ["streamed"] }, "done"],
  thinking: ["session · turn · thought · message · done"],
  empty: [
    "session · turn",
    { if: "asksAgain=empty", rows: ["retrying overloaded · failed overloaded"], else: ["done"] },
  ],
  unicode: [
    `session · turn · message ${JSON.stringify('Grüße, 世界, 👩‍👩‍👧‍👦, עברית, e\u0301, line\u2028separator, paragraph\u2029separator, tab\t, quote " and \\ end')} · done`,
  ],
  "huge-text": ["session", ...text],
  image: ["session · turn", { if: "!images", rows: ["notice divergence"] }, "message · done"],
  file: ["session · turn", { if: "!files", rows: ["notice divergence"] }, "message · done"],

  // Tools.
  read: ["session · turn · message · read: completed · message · done"],
  write: ["session", ...writes("completed", "hello.txt")],
  edit: [
    "session · turn · message · read: completed · message · edit: completed · message · files hello.txt changed · done",
  ],
  delete: ["session · turn · message · delete: completed · message · files hello.txt deleted · done"],
  shell: ["session · turn · message · shell: completed · message · files made.txt created · done"],
  "failing-tool": [
    "session · turn · message",
    { if: "exitCodes", rows: ["shell: failed error"], else: ["shell: completed"] },
    "message · done",
  ],
  "unknown-tool": [
    "session · turn",
    { if: "toolsReported=all", rows: ["other: failed error"], else: ["?other: failed error"] },
    "message · done",
  ],
  "two-tools": [
    "session · turn · message · write: completed · write: completed · message · files one.txt created, two.txt created · done",
  ],
  "huge-output": ["session · turn · shell: completed · message · done"],
  subagent: ["session · turn · message · task: worked inside, completed · message · done"],
  "background-task": [
    "session · turn · message · task|shell|other: completed · message · done, 1 in the background · turn by agent · message · done",
  ],

  // Permissions.
  "permission-allowed": ["session", ...writes("asked, allowed by person, completed", "x.txt")],
  "permission-denied": ["session", ...writeIsDenied("asked, denied by person, failed denied")],
  "permission-changed": ["session", ...writes("asked, allowed changed by person, completed", "changed.txt")],
  "permission-always": [
    "session",
    ...writes("asked, allowed by person, completed", "x.txt"),
    ...writes("completed", "y.txt"),
  ],
  "permission-unattended": ["session", ...writeIsDenied("asked, denied by deadline, failed denied")],
  "permission-timed-out": ["session", ...writeIsDenied("asked, denied by deadline, failed denied")],
  "permission-stopped": [
    "session · turn",
    thought,
    "message · write: asked, denied by person, failed denied · cancelled",
  ],
  "permission-cancelled": [
    "session · turn",
    thought,
    "message · write: asked, cancelled by cancel, failed cancelled · cancelled",
    ...afterCancel,
  ],

  // Questions and plans.
  "question-answered": ["session · turn · message · question answered by person · message · done"],
  "question-unattended": ["session · turn · message · question skipped by deadline · message · done"],
  "plan-approved": ["session · turn · message · plan: asked, allowed by person, completed · message · done"],
  "plan-rejected": ["session", ...isDenied("plan", "asked, denied by person, failed denied")],

  // Cancelling.
  "cancel-streaming": [
    "session · turn",
    { if: "deltas", rows: ["message"], else: ["?message"] },
    "cancelled",
    ...afterCancel,
  ],
  "cancel-in-tool": [
    "session · turn · message · shell: failed cancelled · files pid created, started created · cancelled",
    ...afterCancel,
  ],
  "cancel-idle": ["session", ...hello, ...hello],

  // Prompts during a turn.
  busy: ["session · turn · queued · message · done", ...hello],
  steer: [
    "session · turn",
    {
      if: "steer",
      // Some agents drop the answer in progress and answer only the added prompt.
      rows: ["steered · ?message · message · done"],
      else: ["notice divergence · queued · message · done", ...text],
    },
  ],

  // Resuming.
  resume: ["session", ...text, { if: "resume", rows: ["session resumed", ...hello] }],
  "resume-after-kill": [
    "session",
    ...text,
    "turn · message · shell: failed unfinished · files started created · failed agent_crashed · session resumed",
    ...hello,
  ],
  "resume-unknown": ["…"],
  fork: ["session", ...text, ...hello, "session resumed", ...text],
  history: option("history"),

  // Models and cost.
  "model-change": ["session", ...hello, { if: "changeModel", rows: hello }],
  "model-unknown": [{ if: "knowsModels", rows: [], else: ["session · turn · failed model_unknown"] }],
  cost: ["session", ...hello],
  accounting: [
    "session",
    ...hello,
    ...hello,
    { if: "usage=none", rows: [], else: [{ if: "resume", rows: ["session resumed", ...hello] }] },
  ],

  // Failures of the model's service.
  "error-401": ["session · turn · failed not_authenticated"],
  "error-429": [
    "session · turn",
    { if: "limits", rows: ["failed quota_exhausted"], else: ["failed rate_limited|quota_exhausted"] },
  ],
  "error-500-once": ['session · turn · message "It worked in the end." · done'],
  "error-500": [
    "session · turn",
    {
      if: "givesUp",
      rows: ["?retrying overloaded · failed overloaded"],
      else: ["retrying overloaded · cancelled"],
    },
  ],
  "cut-stream": [
    "session · turn",
    { if: "asksAgain=cut", rows: ['message "A whole answer." · done'], else: ["?message · failed network"] },
  ],

  // The agent's process.
  killed: [
    "session",
    ...text,
    "turn",
    { if: "deltas", rows: ["message"], else: ["?message"] },
    "failed agent_crashed",
    ...afterKill,
  ],
  "ignores-stdin-close": ["session", ...hello],
  compaction: ["session", ...text, "turn · compacted · ?message · done", ...hello],

  // Modes.
  "modes-refused": [],
  "mode-read": ["session", ...kept("edit", "write", [thought, "message"]), ...kept("execute", "shell", ["message"])],
  "mode-plan": ["session", ...planned("write", [thought, "message"]), ...planned("shell", ["message"])],
  "mode-edits": [
    "session",
    ...writes("completed", "x.txt"),
    {
      if: "hold.execute=every|unsafe_only",
      rows: isDenied("shell", "asked, denied by person, failed denied"),
      else: ["turn · message · shell: failed error · message · done"],
    },
  ],
  "edits-kept": ["session", ...writes("completed", "x.txt")],
  "edits-hidden": ["session", ...writeIsDenied("asked, denied by person, failed denied")],
  "mode-full": [
    "session",
    ...writes("completed", "x.txt"),
    "turn · message · shell: completed · message · files y.txt created · done",
  ],
  "mode-change": [
    "session",
    ...writes("completed", "x.txt"),
    ...writes("asked, allowed by person, completed", "y.txt"),
  ],

  // Options.
  "system-prompt-append": option("systemPrompt=append"),
  "system-prompt-replace": option("systemPrompt=replace"),
  locale: option("systemPrompt=append"),
  "tool-filter": option(
    "toolFilter",
    [...writes("completed", "x.txt"), "turn · message", ...takenAway("shell")],
    // A disallowed tool becomes a rule of the policy, which can be enforced for some agents only.
    ["notice divergence", { if: "!hold.execute=every", rows: ["notice divergence"] }],
  ),
  "first-prompt-tools": option(
    "firstPromptTools",
    ["turn", thought, "message", ...takenAway("write"), ...writes("completed", "y.txt")],
    [{ if: "!toolFilter", rows: ["notice divergence"] }, "notice divergence"],
  ),
  "mcp-servers": option("mcpServers", ["turn · mcp: completed · message · done"]),
  directories: option("directories", ["turn · message · read: completed · message · done"]),
  "max-turns": option("maxTurns", ["turn · … · max_turns"]),
  budget: option("budget", ["turn · … · budget"]),
  limits: ["session", ...text],

  // Holds. The scenarios check that the call did not run.
  "hold-read": isHeld("read", "read"),
  "hold-search": isHeld("search", "grep"),
  "hold-edit": isHeld("edit", "write", [thought, "message"]),
  "hold-execute": isHeld("execute", "shell"),
  "hold-delete": isHeld("delete", "delete"),
  "hold-move": isHeld("move", "move"),
  "hold-think": isHeld("think", "task"),
  "hold-fetch": isHeld("fetch", "web_fetch"),
  "hold-switch_mode": isHeld("switch_mode", "mode"),
  "hold-other": isHeld("other", "mcp", []),
};
