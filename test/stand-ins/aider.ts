/**
 * Stands in for Aider 0.86 with `--no-fancy-input`: prints the screens that its documentation and source show, without doing any work.
 * Reads lines from a terminal in cooked mode. The prompt says what to do; `STAND_IN_ASKS` says what it asks at its start.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const out = (text: string): void => void process.stdout.write(text);
const choices = "(Y)es/(N)o";

if (process.argv.includes("--version")) {
  out("aider 0.86.2\n");
  process.exit();
}

const lines: string[] = [];
let waiting: PromiseWithResolvers<string> | undefined;
createInterface({ input: process.stdin, terminal: false })
  .on("line", (line) => {
    if (waiting === undefined) lines.push(line);
    else waiting.resolve(line);
    waiting = undefined;
  })
  .on("close", () => process.exit());

function ask(prompt: string): Promise<string> {
  out(prompt);
  const line = lines.shift();
  if (line !== undefined) return Promise.resolve(line);
  waiting = Promise.withResolvers<string>();
  return waiting.promise;
}

/** Like Aider's `confirm_ask`: the subject in bold, the question with its choices, repeated until the answer is valid. */
async function confirm(question: string, subject?: string, more = ""): Promise<boolean> {
  if (subject !== undefined) out(`\n${subject}\n`);
  for (;;) {
    const answer = (await ask(`${question} ${choices}${more} [Yes]: `)).toLowerCase();
    if (/^(?:|y|yes|n|no|a|all|s|d)$/.test(answer)) return answer === "" || answer.startsWith("y");
    out("Please answer with one of: yes, no, skip, all\n");
  }
}

let interrupted = Promise.withResolvers<void>();
process.on("SIGINT", () => {
  out("\n\n^C again to exit\n");
  interrupted.resolve();
  interrupted = Promise.withResolvers<void>();
});

async function readPrompt(): Promise<string> {
  const first = await ask("\n> ");
  const [, tag] = /^\{(\w*)$/.exec(first) ?? [];
  if (tag === undefined) return first;
  const body: string[] = [];
  for (let line = await ask(". "); line !== `${tag}}`; line = await ask(". ")) body.push(line);
  return body.join("\n");
}

const actions: Readonly<Record<string, (rest: string) => Promise<void> | void>> = {
  say: (rest) => out(`${rest}\n`),
  count: (rest) => out(`${rest.split("\n").length} lines, ${JSON.stringify(rest)}\n`),
  async run(rest) {
    out("I suggest this:\n");
    if (await confirm("Run shell command?", rest, "/(D)on't ask again")) out(`\nRunning ${rest}\nits output\n`);
    if (await confirm("Add command output to the chat?")) out("Added 1 line of output to the chat.\n");
  },
  async create(rest) {
    if (!(await confirm("Create new file?", rest))) return out("Skipping edits to it\n");
    writeFileSync(rest, "made\n");
    out(`Applied edit to ${rest}\n`);
  },
  async odd() {
    out((await confirm("Drop all of it and start again?", "two\nlines")) ? "dropped\n" : "kept\n");
  },
  fail: () => out("litellm.AuthenticationError: AnthropicException - invalid x-api-key\n"),
  async recover() {
    out("litellm.InternalServerError: overloaded\nRetrying in 0.2 seconds...\nhere it is\n");
  },
  async hang() {
    out("working\n");
    await interrupted.promise;
  },
  flood: (rest) => out("flood of lines\n".repeat(Number(rest))),
  die: (rest) => {
    out("about to end\n");
    process.exit(Number(rest));
  },
  // Looks like a prompt for a moment, as a quotation does that is printed in parts.
  async spoof() {
    out("before\n> ");
    await new Promise((resolve) => setImmediate(resolve));
    out("quoted\nafter\n");
  },
  escape: () => out("a\x1b]52;c;aGk=\x07b\x1b[21t\x1b[6n\u202ec\n"),
};

const asks = process.env["STAND_IN_ASKS"]?.split(",") ?? [];
if (asks.includes("update")) {
  out("Newer aider version v0.86.9 is available.\n");
  const updates = await confirm("Run pip install?", "/usr/bin/python3 -m pip install --upgrade aider-chat");
  if (updates) {
    out("UPDATED\nRe-run aider to use new version.\n");
    process.exit();
  }
}
if (asks.includes("gitignore")) {
  out("You can skip this check with --no-gitignore\n");
  if (await confirm("Add .aider* to .gitignore (recommended)?")) out("Added .aider* to .gitignore\n");
}
if (asks.includes("fails")) {
  out("Model nonsense: Unknown which environment variables are required.\n");
  process.exit(1);
}
out("Aider v0.86.2\nModel: stand-in with diff edit format\nGit repo: none\nRepo-map: disabled\n");

for (;;) {
  const prompt = await readPrompt();
  out("\n");
  if (/^[/!]/.test(prompt)) {
    out(`COMMAND ${prompt}\n`);
    continue;
  }
  const [, word = "", rest = ""] = /^\s*(\w+) ?([\s\S]*)$/.exec(prompt) ?? [];
  const action = actions[word];
  if (action === undefined) out(`You said ${JSON.stringify(prompt)}.\n`);
  else await action(rest);
  if (word !== "fail") out("\nTokens: 1.2k sent, 34 received.\n");
}
