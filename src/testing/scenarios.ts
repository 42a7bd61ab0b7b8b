/** The standard scenarios: every scripted model knows them. */
import type { Act, Scenario, Step } from "./scenario.ts";

/** Each step is one answer of the model. */
const scenario = (name: string, about: string, ...steps: readonly Step[]): Scenario => ({ name, about, steps });

const strange =
  'Grüße, 世界, 👩‍👩‍👧‍👦, עברית, e\u0301, line\u2028separator, paragraph\u2029separator, tab\t, quote " and \\ end';

/** Answers without tools. */
const answers: readonly Scenario[] = [
  scenario("text", "One short text.", [{ say: "Hello from the scripted model." }]),
  scenario("deltas", "A text in twenty pieces.", [
    { pieces: 20 },
    { say: "One two three four five six seven eight nine ten eleven twelve." },
  ]),
  scenario("thinking", "A thought, then a text.", [
    { think: "Let me think about it. It is simple." },
    { say: "I thought about it: 42." },
  ]),
  scenario("slow-text", "Half a text, the gate `slow`, the other half.", [
    { say: "The first half, " },
    { gate: "slow" },
    { say: "and the second." },
  ]),
  scenario("late-text", "The gate `late` before anything is said.", [{ gate: "late" }, { say: "Here I am at last." }]),
  scenario("empty", "An answer with nothing in it.", []),
  scenario("huge", "A text of many bytes, 3,000,000 unless the argument says otherwise.", [{ big: "{arg|3000000}" }]),
  scenario("unicode", "Characters that break careless readers.", [{ pieces: 30 }, { say: strange }]),
  scenario("image", "Says how many images the model was sent.", [{ say: "I see {images} image(s)." }]),
  scenario("echo", "Says its argument.", [{ say: "{arg|Nothing was said.}" }]),
  scenario("usage", "Usage with figures of every kind.", [
    { usage: { input: 1_000, output: 200, cacheRead: 5_000, cacheWrite: 300, thought: 50 } },
    { say: "That cost something." },
  ]),
  scenario("limit-ok", "The plan's five-hour window is a fifth used.", [
    { limit: { status: "ok", window: "five_hour", usedPercent: 20, resetsInSeconds: 3_600 } },
    { say: "Plenty left." },
  ]),
  scenario("limit-warning", "The plan's five-hour window is nearly used up.", [
    { limit: { status: "warning", window: "five_hour", usedPercent: 93, resetsInSeconds: 3_600 } },
    { say: "Not much left." },
  ]),
];

const recovered: Act = { say: "It worked in the end." };
const reached = { status: "reached", window: "five_hour", usedPercent: 100, resetsInSeconds: 3_600 } as const;

/** What can go wrong with a model's service. */
const failures: readonly Scenario[] = [
  scenario("error-400", "A bad request.", [{ error: { status: 400, message: "Bad request." } }]),
  scenario("error-401", "Nobody is signed in.", [{ error: { status: 401 } }]),
  scenario("bad-key", "The key is refused, with the status the service has for that.", [{ error: { meaning: "key" } }]),
  scenario("error-402", "It is to be paid first; nothing else is said.", [{ page: { status: 402, text: "" } }]),
  scenario("error-402-body", "It is to be paid first, and the service says so.", [
    { error: { status: 402, message: "Payment required." } },
  ]),
  scenario("error-403", "The key may not do this.", [{ error: { status: 403 } }]),
  scenario("error-404", "There is no such model.", [{ error: { status: 404 } }]),
  scenario("error-413", "The request is too large.", [{ error: { status: 413 } }]),
  scenario(
    "error-429-soon",
    "Too many requests, for ever, and each time the service says to come back in two seconds.",
    [{ error: { status: 429, message: "Too many requests.", headers: { "retry-after": "2" } } }],
  ),
  scenario("error-429-quota", "An allowance is used up, in words that no service prescribes.", [
    { error: { status: 429, type: "error", message: "You have used up your monthly quota." } },
  ]),
  scenario("error-429", "Too many requests, for ever.", [{ error: { status: 429, headers: { "retry-after": "1" } } }]),
  scenario("error-429-once", "Too many requests, then an answer.", [
    { error: { status: 429, headers: { "retry-after": "1" }, times: 1 } },
    recovered,
  ]),
  scenario("quota", "The plan's five-hour window is used up.", [
    { limit: reached },
    { error: { status: 429, headers: { "retry-after": "3600" } } },
  ]),
  scenario("error-500", "A server error, for ever.", [{ error: { status: 500 } }]),
  scenario("error-500-once", "One server error, then an answer.", [{ error: { status: 500, times: 1 } }, recovered]),
  scenario("error-500-twice", "Two server errors, then an answer.", [{ error: { status: 500, times: 2 } }, recovered]),
  scenario("error-503", "Unavailable, for ever.", [{ error: { status: 503 } }]),
  scenario("error-504", "A gateway waited in vain, for ever.", [{ error: { status: 504 } }]),
  scenario("error-529-thrice", "Overloaded three times, then an answer.", [
    { error: { status: 529, times: 3 } },
    recovered,
  ]),
  scenario("error-529", "Overloaded, for ever.", [{ error: { status: 529 } }]),
  scenario("web-page", "Something in between answers with a page of its own.", [
    { page: { text: "<!DOCTYPE html><html><body><h1>Sign in to the network</h1></body></html>" } },
  ]),
  scenario("reset", "The connection is always reset.", [{ reset: true }]),
  scenario("cut", "The connection always dies in the middle.", [{ say: "Half an ans" }, { cut: true }]),
  scenario("cut-once", "The connection dies once in the middle.", [
    { say: "A whole ans" },
    { cut: { times: 1 } },
    { say: "wer." },
  ]),
  scenario("mid-error", "The stream always ends in an error.", [
    { say: "Half an ans" },
    { midError: {} },
    { say: "wer." },
  ]),
  scenario("mid-error-once", "The stream ends in an error once.", [
    { say: "A whole ans" },
    { midError: { times: 1 } },
    { say: "wer." },
  ]),
  scenario("hang", "No answer ever comes.", [{ hang: true }]),
  scenario("hang-midway", "The answer stops in the middle.", [{ say: "Half an ans" }, { hang: true }]),
  scenario("refusal", "The model declines.", [{ say: "I cannot help with that." }, { stop: "refusal" }]),
  scenario("max-tokens", "The answer is cut at the model's limit.", [
    { say: "This goes on and" },
    { stop: "max_tokens" },
  ]),
  scenario("credit", "The account has no credit left.", [{ error: { meaning: "credit" } }]),
  scenario("prompt-too-long", "The conversation no longer fits.", [{ error: { meaning: "too_long" } }]),
];

/** Answers with tool calls. */
const tools: readonly Scenario[] = [
  scenario(
    "read",
    "Reads the argument (hello.txt).",
    [{ say: "I will read it." }, { call: { tool: "read", path: "{arg|hello.txt}" } }],
    [{ say: "It says: {lastResult}" }],
  ),
  scenario(
    "write",
    "Thinks, then writes the argument (hello.txt).",
    [
      { think: "I should write the file." },
      { say: "I will write it." },
      { call: { tool: "write", path: "{arg|hello.txt}", text: "hello world\n" } },
    ],
    [{ say: "Done: {lastResult}" }],
  ),
  scenario(
    "edit",
    "Reads the argument (hello.txt) and changes hello into goodbye.",
    [{ say: "Reading first." }, { call: { tool: "read", path: "{arg|hello.txt}" } }],
    [{ say: "Editing." }, { call: { tool: "edit", path: "{arg|hello.txt}", from: "hello", to: "goodbye" } }],
    [{ say: "Done: {lastResult}" }],
  ),
  scenario(
    "delete",
    "Deletes the argument (hello.txt).",
    [{ say: "I will delete it." }, { call: { tool: "delete", path: "{arg|hello.txt}" } }],
    [{ say: "Done: {lastResult}" }],
  ),
  scenario(
    "move",
    "Renames the argument (hello.txt) to moved.txt.",
    [{ say: "I will rename it." }, { call: { tool: "move", path: "{arg|hello.txt}", to: "moved.txt" } }],
    [{ say: "Done: {lastResult}" }],
  ),
  scenario(
    "search",
    "Looks for the argument (hello) in all files.",
    [{ say: "I will look for it." }, { call: { tool: "grep", text: "{arg|hello}" } }],
    [{ say: "I found: {lastResult}" }],
  ),
  scenario(
    "fetch",
    "Fetches the address in the argument.",
    [{ say: "I will fetch it." }, { call: { tool: "web_fetch", path: "{arg|http://127.0.0.1:1/}" } }],
    [{ say: "It says: {lastResult}" }],
  ),
  scenario(
    "mode",
    "Changes the agent's own mode, where it has a tool for that.",
    [{ say: "I will plan first." }, { call: { tool: "mode" } }],
    [{ say: "I was told: {lastResult}" }],
  ),
  scenario(
    "shell",
    "Runs the argument (echo hi).",
    [{ say: "I will run a command." }, { call: { tool: "shell", command: "{arg|echo hi}" } }],
    [{ say: "It printed: {lastResult}" }],
  ),
  scenario(
    "long-shell",
    "Runs a command that never ends by itself.",
    [{ say: "This takes a while." }, { call: { tool: "shell", command: "{arg|tail -f /dev/null}" } }],
    [{ say: "It ended: {lastResult}" }],
  ),
  scenario(
    "shell-output",
    "Runs a command that prints that many bytes (200000).",
    [{ call: { tool: "shell", command: "head -c {arg|200000} /dev/zero | tr '\\0' x" } }],
    [{ say: "It printed much." }],
  ),
  scenario(
    "failing-tool",
    "Runs a command that fails, and that nobody could take for a look.",
    [{ say: "This will fail." }, { call: { tool: "shell", command: "mkdir no-such-folder/inside" } }],
    [{ say: "It failed: {lastResult}" }],
  ),
  scenario(
    "unknown-tool",
    "Calls a tool that no agent has.",
    [{ callNative: { name: "NoSuchTool", input: { x: 1 } } }],
    [{ say: "I was told: {lastResult}" }],
  ),
  scenario(
    "bad-input",
    "Calls a tool without what it needs.",
    [{ call: { tool: "read" } }],
    [{ say: "I was told: {lastResult}" }],
  ),
  scenario(
    "two-tools",
    "Writes one.txt and two.txt in one answer.",
    [
      { say: "Two at once." },
      { call: { tool: "write", path: "one.txt", text: "one\n" } },
      { call: { tool: "write", path: "two.txt", text: "two\n" } },
    ],
    [{ say: "I got {results} results." }],
  ),
  {
    name: "loop",
    about: "Never stops calling a tool.",
    repeat: true,
    steps: [[{ say: "Once more, after {step}." }, { call: { tool: "shell", command: "echo {step}" } }]],
  },
  scenario(
    "mcp",
    "Calls the tool `add` of the MCP server in the argument (scripted).",
    [{ call: { tool: "mcp", server: "{arg|scripted}", name: "add", input: { a: 2, b: 3 } } }],
    [{ say: "The server said: {lastResult}" }],
  ),
  scenario(
    "subagent",
    "Hands a prompt to a subagent and waits; its prompt may be the argument.",
    [{ say: "Delegating." }, { call: { tool: "task", prompt: "{arg|scenario:text Say hello.}", background: false } }],
    [{ say: "The subagent said: {lastResult}" }],
  ),
  scenario(
    "background-subagent",
    "Starts a subagent in the background; when it reports, the model speaks again.",
    [
      { say: "Delegating." },
      { call: { tool: "task", prompt: "{arg|scenario:late-text Say hello.}", background: true } },
    ],
    [{ say: "It runs in the background." }],
    [{ when: "task-notification" }, { say: "The subagent has reported." }],
  ),
  scenario(
    "background-shell",
    "Starts the argument (true) in the background; when it ends, the model speaks again.",
    [{ say: "Starting." }, { call: { tool: "shell", command: "{arg|true}", background: true } }],
    [{ say: "It runs in the background." }],
    [{ when: "task-notification" }, { say: "The command has ended." }],
  ),
  scenario(
    "subagent-permission",
    "Starts a subagent that runs a command it has to ask for.",
    [{ call: { tool: "task", prompt: "scenario:shell:touch%20{arg|sub.txt} Do it.", background: false } }],
    [{ say: "The subagent said: {lastResult}" }],
  ),
  scenario(
    "question",
    "Asks the person which colour.",
    [{ say: "I need to ask." }, { call: { tool: "question", question: "Which colour?", choices: ["Red", "Blue"] } }],
    [{ say: "You said: {lastResult}" }],
  ),
  scenario(
    "plan",
    "Proposes a plan for approval.",
    [{ say: "Here is my plan." }, { call: { tool: "plan", plan: "# Plan\n\n1. Write hello.txt\n" } }],
    [{ say: "I was told: {lastResult}" }],
  ),
  scenario(
    "plan-then-write",
    "Proposes a plan, then writes the argument (hello.txt).",
    [{ say: "Here is my plan." }, { call: { tool: "plan", plan: "# Plan\n\n1. Write the file\n" } }],
    [{ call: { tool: "write", path: "{arg|hello.txt}", text: "hello world\n" } }],
    [{ say: "Done: {lastResult}" }],
  ),
];

/** Every scripted model knows these. */
export const standardScenarios: readonly Scenario[] = [...answers, ...tools, ...failures];
