/** The contract with the demo agent, which needs no program: the scripted model's scenarios are given in its own prompt language. */
import { agentEntries } from "../../src/agents/index.ts";
import { createReins, type Reins } from "../../src/index.ts";
import { NotProvable } from "../../src/testing/contract/check.ts";
import { Tap } from "../../src/testing/contract/tap.ts";
import type { Place, Play } from "../../src/testing/contract/types.ts";
import { createWorkspace } from "../../src/testing/contract/workspace.ts";
import { contractTests, patientDeadlines } from "./contract-tests.ts";
import { GoldenLog } from "./golden.ts";

const agent = "demo";
const hello = "say Hello from the scripted model.";
const done = "; say Done.";
const writes = (file: string) =>
  `think I should write the file.; say I will write it.; write ${file} hello world${done}`;
const shell = (command: string) => `run sh -c ${JSON.stringify(command)}`;

/** Each scenario in the demo agent's prompt language; the agent cannot perform the others. */
const prompts: Readonly<Record<string, (arg: string | undefined) => string>> = {
  text: () => hello,
  deltas: () => "say One two three four five six seven eight nine ten eleven twelve.",
  thinking: () => "think Let me think about it.; say I thought about it: 42.",
  unicode: () =>
    `say 'Grüße, 世界, 👩‍👩‍👧‍👦, עברית, e\u0301, line\u2028separator, paragraph\u2029separator, tab\t, quote " and \\ end'`,
  image: () => "say I see no image.",
  echo: (words = "") => `say ${words}`,
  "slow-text": (arg) => (arg === "brief" ? "stream 50000" : "say The first half, ; sleep 1000000"),
  read: (file = "hello.txt") => `say I will read it.; read ${file}${done}`,
  write: (file = "hello.txt") => writes(file),
  edit: (file = "hello.txt") => `say Reading first.; read ${file}; say Editing.; edit ${file} hello -> goodbye${done}`,
  shell: (command = "echo hi") => `say I will run a command.; ${shell(command)}${done}`,
  "long-shell": (command = "tail -f /dev/null") => `say This takes a while.; ${shell(command)}${done}`,
  "shell-output": (bytes = "200000") => `${shell(`head -c ${bytes} /dev/zero | tr '\\0' x`)}${done}`,
  "failing-tool": () => `say This will fail.; ${shell("mkdir no-such-folder/inside")}${done}`,
  "two-tools": () => `say Two at once.; write one.txt one; write two.txt two${done}`,
  subagent: () => `say Delegating.; subagent "list; say found"${done}`,
  "background-subagent": () => `say Delegating.; background 200${done}`,
  question: () => "say I need to ask.; ask Which colour?",
  plan: () => `say Here is my plan.; plan${done}`,
  "bad-key": () => "fail not_authenticated",
  quota: () => "fail rate_limited",
  "error-404": () => "fail model_unknown",
  "error-500": () => "fail overloaded",
};

function promptOf({ name, arg }: Play): string {
  const prompt = prompts[name];
  if (prompt === undefined) throw new NotProvable(`It cannot be made to play ${name}.`);
  return prompt(arg);
}

const entry = agentEntries.find(({ id }) => id === agent)!;
await using reins = createReins({ guardian: false, env: {} });
const { capabilities } = await reins.agent(agent);

async function open(): Promise<Place> {
  const workspace = createWorkspace();
  const tap = new Tap();
  const opened: Reins[] = [];
  return {
    agent,
    capabilities,
    live: true,
    cwd: workspace.cwd,
    isRepository: workspace.isRepository,
    tap,
    deadlineMs: 30_000,
    reins(options = {}) {
      const env = { ...workspace.env, REINS_HOME: workspace.home };
      const own = { guardian: false, env, agents: [tap.on(entry)], deadlines: patientDeadlines };
      opened.push(createReins({ ...own, ...options }));
      return opened.at(-1)!;
    },
    prompt: promptOf,
    release: () => {},
    async end() {
      await Promise.all(opened.map((one) => one.close()));
      return tap.launched.filter(({ isGone }) => !isGone).map(({ pid }) => `process ${pid}`);
    },
    async clear() {
      workspace.clear();
    },
  };
}

contractTests({ agent, capabilities, open, golden: new GoldenLog(agent) });
