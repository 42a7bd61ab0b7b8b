import type { Scenario } from "../scenario.ts";

/** Answers with tool calls. */
export const tools: readonly Scenario[] = [
  {
    name: "read",
    about: "Reads the argument (hello.txt).",
    steps: [
      [{ say: "I will read it." }, { call: { tool: "read", path: "{arg|hello.txt}" } }],
      [{ say: "It says: {lastResult}" }],
    ],
  },
  {
    name: "write",
    about: "Thinks, then writes the argument (hello.txt).",
    steps: [
      [
        { think: "I should write the file." },
        { say: "I will write it." },
        { call: { tool: "write", path: "{arg|hello.txt}", text: "hello world\n" } },
      ],
      [{ say: "Done: {lastResult}" }],
    ],
  },
  {
    name: "edit",
    about: "Reads the argument (hello.txt) and changes hello into goodbye.",
    steps: [
      [{ say: "Reading first." }, { call: { tool: "read", path: "{arg|hello.txt}" } }],
      [{ say: "Editing." }, { call: { tool: "edit", path: "{arg|hello.txt}", from: "hello", to: "goodbye" } }],
      [{ say: "Done: {lastResult}" }],
    ],
  },
  {
    name: "delete",
    about: "Deletes the argument (hello.txt).",
    steps: [
      [{ say: "I will delete it." }, { call: { tool: "delete", path: "{arg|hello.txt}" } }],
      [{ say: "Done: {lastResult}" }],
    ],
  },
  {
    name: "move",
    about: "Renames the argument (hello.txt) to moved.txt.",
    steps: [
      [{ say: "I will rename it." }, { call: { tool: "move", path: "{arg|hello.txt}", to: "moved.txt" } }],
      [{ say: "Done: {lastResult}" }],
    ],
  },
  {
    name: "search",
    about: "Looks for the argument (hello) in all files.",
    steps: [
      [{ say: "I will look for it." }, { call: { tool: "grep", text: "{arg|hello}" } }],
      [{ say: "I found: {lastResult}" }],
    ],
  },
  {
    name: "fetch",
    about: "Fetches the address in the argument.",
    steps: [
      [{ say: "I will fetch it." }, { call: { tool: "web_fetch", path: "{arg|http://127.0.0.1:1/}" } }],
      [{ say: "It says: {lastResult}" }],
    ],
  },
  {
    name: "mode",
    about: "Changes the agent's own mode, where it has a tool for that.",
    steps: [[{ say: "I will plan first." }, { call: { tool: "mode" } }], [{ say: "I was told: {lastResult}" }]],
  },
  {
    name: "shell",
    about: "Runs the argument (echo hi).",
    steps: [
      [{ say: "I will run a command." }, { call: { tool: "shell", command: "{arg|echo hi}" } }],
      [{ say: "It printed: {lastResult}" }],
    ],
  },
  {
    name: "long-shell",
    about: "Runs a command that never ends by itself.",
    steps: [
      [{ say: "This takes a while." }, { call: { tool: "shell", command: "{arg|tail -f /dev/null}" } }],
      [{ say: "It ended: {lastResult}" }],
    ],
  },
  {
    name: "shell-output",
    about: "Runs a command that prints that many bytes (200000).",
    steps: [
      [{ call: { tool: "shell", command: "head -c {arg|200000} /dev/zero | tr '\\0' x" } }],
      [{ say: "It printed much." }],
    ],
  },
  {
    name: "failing-tool",
    about: "Runs a command that fails, and that nobody could take for a look.",
    steps: [
      [{ say: "This will fail." }, { call: { tool: "shell", command: "mkdir no-such-folder/inside" } }],
      [{ say: "It failed: {lastResult}" }],
    ],
  },
  {
    name: "unknown-tool",
    about: "Calls a tool that no agent has.",
    steps: [[{ callNative: { name: "NoSuchTool", input: { x: 1 } } }], [{ say: "I was told: {lastResult}" }]],
  },
  {
    name: "bad-input",
    about: "Calls a tool without what it needs.",
    steps: [[{ call: { tool: "read" } }], [{ say: "I was told: {lastResult}" }]],
  },
  {
    name: "two-tools",
    about: "Writes one.txt and two.txt in one answer.",
    steps: [
      [
        { say: "Two at once." },
        { call: { tool: "write", path: "one.txt", text: "one\n" } },
        { call: { tool: "write", path: "two.txt", text: "two\n" } },
      ],
      [{ say: "I got {results} results." }],
    ],
  },
  {
    name: "loop",
    about: "Never stops calling a tool.",
    repeat: true,
    steps: [[{ say: "Once more, after {step}." }, { call: { tool: "shell", command: "echo {step}" } }]],
  },
  {
    name: "mcp",
    about: "Calls the tool `add` of the MCP server in the argument (scripted).",
    steps: [
      [{ call: { tool: "mcp", server: "{arg|scripted}", name: "add", input: { a: 2, b: 3 } } }],
      [{ say: "The server said: {lastResult}" }],
    ],
  },
  {
    name: "subagent",
    about: "Hands a prompt to a subagent and waits; its prompt may be the argument.",
    steps: [
      [{ say: "Delegating." }, { call: { tool: "task", prompt: "{arg|scenario:text Say hello.}", background: false } }],
      [{ say: "The subagent said: {lastResult}" }],
    ],
  },
  {
    name: "background-subagent",
    about: "Starts a subagent in the background; when it reports, the model speaks again.",
    steps: [
      [
        { say: "Delegating." },
        { call: { tool: "task", prompt: "{arg|scenario:late-text Say hello.}", background: true } },
      ],
      [{ say: "It runs in the background." }],
      [{ when: "task-notification" }, { say: "The subagent has reported." }],
    ],
  },
  {
    name: "background-shell",
    about: "Starts the argument (true) in the background; when it ends, the model speaks again.",
    steps: [
      [{ say: "Starting." }, { call: { tool: "shell", command: "{arg|true}", background: true } }],
      [{ say: "It runs in the background." }],
      [{ when: "task-notification" }, { say: "The command has ended." }],
    ],
  },
  {
    name: "subagent-permission",
    about: "Starts a subagent that runs a command it has to ask for.",
    steps: [
      [{ call: { tool: "task", prompt: "scenario:shell:touch%20{arg|sub.txt} Do it.", background: false } }],
      [{ say: "The subagent said: {lastResult}" }],
    ],
  },
  {
    name: "question",
    about: "Asks the person which colour.",
    steps: [
      [{ say: "I need to ask." }, { call: { tool: "question", question: "Which colour?", choices: ["Red", "Blue"] } }],
      [{ say: "You said: {lastResult}" }],
    ],
  },
  {
    name: "plan",
    about: "Proposes a plan for approval.",
    steps: [
      [{ say: "Here is my plan." }, { call: { tool: "plan", plan: "# Plan\n\n1. Write hello.txt\n" } }],
      [{ say: "I was told: {lastResult}" }],
    ],
  },
  {
    name: "plan-then-write",
    about: "Proposes a plan, then writes the argument (hello.txt).",
    steps: [
      [{ say: "Here is my plan." }, { call: { tool: "plan", plan: "# Plan\n\n1. Write the file\n" } }],
      [{ call: { tool: "write", path: "{arg|hello.txt}", text: "hello world\n" } }],
      [{ say: "Done: {lastResult}" }],
    ],
  },
];
