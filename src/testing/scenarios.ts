/** The standard scenarios, which every scripted model knows. */
import type { Act, Scenario } from "./scenario.ts";

/** A line of a step: a string is text, an object with `tool` is a tool call, and any other object is an act. */
type Line = string | Extract<Act, { readonly call: unknown }>["call"] | Act;

const actOf = (line: Line): Act => (typeof line === "string" ? { say: line } : "tool" in line ? { call: line } : line);

/** Defines a scenario; each step is one answer of the model. */
const scenario = (name: string, about: string, ...steps: readonly (readonly Line[])[]): Scenario => ({
  name,
  about,
  steps: steps.map((step) => step.map(actOf)),
});

const strange =
  'Grüße, 世界, 👩‍👩‍👧‍👦, עברית, e\u0301, line\u2028separator, paragraph\u2029separator, tab\t, quote " and \\ end';

const answers: readonly Scenario[] = [
  scenario("text", "One short text.", ["Hello from the scripted model."]),
  scenario("deltas", "A text in twenty pieces.", [
    { pieces: 20 },
    "One two three four five six seven eight nine ten eleven twelve.",
  ]),
  scenario("thinking", "A thought, then a text.", [
    { think: "Let me think about it. It is simple." },
    "I thought about it: 42.",
  ]),
  scenario("slow-text", "Half a text, the gate `slow`, the other half.", [
    "The first half, ",
    { gate: "slow" },
    "and the second.",
  ]),
  scenario("late-text", "The gate `late`, then a text.", [{ gate: "late" }, "Here I am at last."]),
  scenario("empty", "An answer with nothing in it.", []),
  scenario("huge", "A text of many bytes, 3,000,000 unless the argument says otherwise.", [{ big: "{arg|3000000}" }]),
  scenario("unicode", "Characters that break careless readers.", [{ pieces: 30 }, strange]),
  scenario("image", "Says how many images the model was sent.", ["I see {images} image(s)."]),
  scenario("echo", "Says its argument.", ["{arg|Nothing was said.}"]),
  scenario("usage", "Usage with figures of every kind.", [
    { usage: { input: 1_000, output: 200, cacheRead: 5_000, cacheWrite: 300, thought: 50 } },
    "That cost something.",
  ]),
  scenario("limit-ok", "The plan's five-hour window is a fifth used.", [
    { limit: { status: "ok", window: "five_hour", usedPercent: 20, resetsInSeconds: 3_600 } },
    "Plenty left.",
  ]),
  scenario("limit-warning", "The plan's five-hour window is nearly used up.", [
    { limit: { status: "warning", window: "five_hour", usedPercent: 93, resetsInSeconds: 3_600 } },
    "Not much left.",
  ]),
];

const recovered = "It worked in the end.";
const reached = { status: "reached", window: "five_hour", usedPercent: 100, resetsInSeconds: 3_600 } as const;

const failures: readonly Scenario[] = [
  scenario("error-400", "A bad request.", [{ error: { status: 400, message: "Bad request." } }]),
  scenario("error-401", "Nobody is signed in.", [{ error: { status: 401 } }]),
  scenario("bad-key", "The key is refused, with the status the service has for that.", [{ error: { meaning: "key" } }]),
  scenario("error-402", "Payment required, without a body.", [{ page: { status: 402, text: "" } }]),
  scenario("error-402-body", "Payment required, with a message.", [
    { error: { status: 402, message: "Payment required." } },
  ]),
  scenario("error-403", "The key lacks the permission.", [{ error: { status: 403 } }]),
  scenario("error-404", "There is no such model.", [{ error: { status: 404 } }]),
  scenario("error-413", "The request is too large.", [{ error: { status: 413 } }]),
  scenario("error-429-soon", "Too many requests, every time, with a retry-after of two seconds.", [
    { error: { status: 429, message: "Too many requests.", headers: { "retry-after": "2" } } },
  ]),
  scenario("error-429-quota", "A quota is exhausted, in a message of no standard format.", [
    { error: { status: 429, type: "error", message: "You have used up your monthly quota." } },
  ]),
  scenario("error-429", "Too many requests, every time.", [
    { error: { status: 429, headers: { "retry-after": "1" } } },
  ]),
  scenario("error-429-once", "Too many requests, then an answer.", [
    { error: { status: 429, headers: { "retry-after": "1" }, times: 1 } },
    recovered,
  ]),
  scenario("quota", "The plan's five-hour window is used up.", [
    { limit: reached },
    { error: { status: 429, headers: { "retry-after": "3600" } } },
  ]),
  scenario("error-500", "A server error, every time.", [{ error: { status: 500 } }]),
  scenario("error-500-once", "One server error, then an answer.", [{ error: { status: 500, times: 1 } }, recovered]),
  scenario("error-500-twice", "Two server errors, then an answer.", [{ error: { status: 500, times: 2 } }, recovered]),
  scenario("error-503", "Unavailable, every time.", [{ error: { status: 503 } }]),
  scenario("error-504", "A gateway timeout, every time.", [{ error: { status: 504 } }]),
  scenario("error-529-thrice", "Overloaded three times, then an answer.", [
    { error: { status: 529, times: 3 } },
    recovered,
  ]),
  scenario("error-529", "Overloaded, every time.", [{ error: { status: 529 } }]),
  scenario("web-page", "A proxy answers with a web page.", [
    { page: { text: "<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>" } },
  ]),
  scenario("reset", "The connection is always reset.", [{ reset: true }]),
  scenario("cut", "The connection is always cut in the middle.", ["Half an ans", { cut: true }]),
  scenario("cut-once", "The connection is cut once in the middle.", ["A whole ans", { cut: { times: 1 } }, "wer."]),
  scenario("mid-error", "The stream always ends in an error.", ["Half an ans", { midError: {} }, "wer."]),
  scenario("mid-error-once", "The stream ends in an error once.", ["A whole ans", { midError: { times: 1 } }, "wer."]),
  scenario("hang", "No answer ever comes.", [{ hang: true }]),
  scenario("hang-midway", "The answer stops in the middle.", ["Half an ans", { hang: true }]),
  scenario("refusal", "The model declines.", ["I cannot help with that.", { stop: "refusal" }]),
  scenario("max-tokens", "The answer is cut at the model's limit.", ["This goes on and", { stop: "max_tokens" }]),
  scenario("credit", "The account has no credit left.", [{ error: { meaning: "credit" } }]),
  scenario("prompt-too-long", "The conversation no longer fits.", [{ error: { meaning: "too_long" } }]),
];

const tools: readonly Scenario[] = [
  scenario(
    "read",
    "Reads the argument (hello.txt).",
    ["I will read it.", { tool: "read", path: "{arg|hello.txt}" }],
    ["It says: {lastResult}"],
  ),
  scenario(
    "write",
    "Thinks, then writes the argument (hello.txt).",
    [
      { think: "I should write the file." },
      "I will write it.",
      { tool: "write", path: "{arg|hello.txt}", text: "hello world\n" },
    ],
    ["Done: {lastResult}"],
  ),
  scenario(
    "edit",
    "Reads the argument (hello.txt) and changes hello into goodbye.",
    ["Reading first.", { tool: "read", path: "{arg|hello.txt}" }],
    ["Editing.", { tool: "edit", path: "{arg|hello.txt}", from: "hello", to: "goodbye" }],
    ["Done: {lastResult}"],
  ),
  scenario(
    "delete",
    "Deletes the argument (hello.txt).",
    ["I will delete it.", { tool: "delete", path: "{arg|hello.txt}" }],
    ["Done: {lastResult}"],
  ),
  scenario(
    "move",
    "Renames the argument (hello.txt) to moved.txt.",
    ["I will rename it.", { tool: "move", path: "{arg|hello.txt}", to: "moved.txt" }],
    ["Done: {lastResult}"],
  ),
  scenario(
    "search",
    "Looks for the argument (hello) in all files.",
    ["I will look for it.", { tool: "grep", text: "{arg|hello}" }],
    ["I found: {lastResult}"],
  ),
  scenario(
    "fetch",
    "Fetches the address in the argument.",
    ["I will fetch it.", { tool: "web_fetch", path: "{arg|http://127.0.0.1:1/}" }],
    ["It says: {lastResult}"],
  ),
  scenario(
    "mode",
    "Changes the agent's own mode, if it has a tool for that.",
    ["I will plan first.", { tool: "mode" }],
    ["I was told: {lastResult}"],
  ),
  scenario(
    "shell",
    "Runs the argument (echo hi).",
    ["I will run a command.", { tool: "shell", command: "{arg|echo hi}" }],
    ["It printed: {lastResult}"],
  ),
  scenario(
    "long-shell",
    "Runs a command that never ends by itself.",
    ["This takes a while.", { tool: "shell", command: "{arg|tail -f /dev/null}" }],
    ["It ended: {lastResult}"],
  ),
  scenario(
    "shell-output",
    "Runs a command that prints that many bytes (200000).",
    [{ tool: "shell", command: "head -c {arg|200000} /dev/zero | tr '\\0' x" }],
    ["It printed much."],
  ),
  scenario(
    "failing-tool",
    "Runs a command that fails and that is not read-only.",
    ["This will fail.", { tool: "shell", command: "mkdir no-such-folder/inside" }],
    ["It failed: {lastResult}"],
  ),
  scenario(
    "unknown-tool",
    "Calls a tool that no agent has.",
    [{ callNative: { name: "NoSuchTool", input: { x: 1 } } }],
    ["I was told: {lastResult}"],
  ),
  scenario("bad-input", "Calls a tool without its required input.", [{ tool: "read" }], ["I was told: {lastResult}"]),
  scenario(
    "two-tools",
    "Writes one.txt and two.txt in one answer.",
    [
      "Two at once.",
      { tool: "write", path: "one.txt", text: "one\n" },
      { tool: "write", path: "two.txt", text: "two\n" },
    ],
    ["I got {results} results."],
  ),
  {
    ...scenario("loop", "Never stops calling a tool.", [
      "Once more, after {step}.",
      { tool: "shell", command: "echo {step}" },
    ]),
    repeat: true,
  },
  scenario(
    "mcp",
    "Calls the tool `add` of the MCP server in the argument (scripted).",
    [{ tool: "mcp", server: "{arg|scripted}", name: "add", input: { a: 2, b: 3 } }],
    ["The server said: {lastResult}"],
  ),
  scenario(
    "subagent",
    "Hands a prompt to a subagent and waits; its prompt may be the argument.",
    ["Delegating.", { tool: "task", prompt: "{arg|scenario:text Say hello.}", background: false }],
    ["The subagent said: {lastResult}"],
  ),
  scenario(
    "background-subagent",
    "Starts a subagent in the background; when it reports, the model speaks again.",
    ["Delegating.", { tool: "task", prompt: "{arg|scenario:late-text Say hello.}", background: true }],
    ["It runs in the background."],
    [{ when: "task-notification" }, "The subagent has reported."],
  ),
  scenario(
    "background-shell",
    "Starts the argument (true) in the background; when it ends, the model speaks again.",
    ["Starting.", { tool: "shell", command: "{arg|true}", background: true }],
    ["It runs in the background."],
    [{ when: "task-notification" }, "The command has ended."],
  ),
  scenario(
    "subagent-permission",
    "Starts a subagent that runs a command it has to ask for.",
    [{ tool: "task", prompt: "scenario:shell:touch%20{arg|sub.txt} Do it.", background: false }],
    ["The subagent said: {lastResult}"],
  ),
  scenario(
    "question",
    "Asks the person which colour.",
    ["I need to ask.", { tool: "question", question: "Which colour?", choices: ["Red", "Blue"] }],
    ["You said: {lastResult}"],
  ),
  scenario(
    "plan",
    "Proposes a plan for approval.",
    ["Here is my plan.", { tool: "plan", plan: "# Plan\n\n1. Write hello.txt\n" }],
    ["I was told: {lastResult}"],
  ),
  scenario(
    "plan-then-write",
    "Proposes a plan, then writes the argument (hello.txt).",
    ["Here is my plan.", { tool: "plan", plan: "# Plan\n\n1. Write the file\n" }],
    [{ tool: "write", path: "{arg|hello.txt}", text: "hello world\n" }],
    ["Done: {lastResult}"],
  ),
];

/** The scenarios that every scripted model knows: answers, tool calls and failures. docs/testing.md lists them. */
export const standardScenarios: readonly Scenario[] = [...answers, ...tools, ...failures];
