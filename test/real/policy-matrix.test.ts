/**
 * Rules and the real agents: what an agent declares to hold is held, and what is denied never happened. One agent alone:
 * `npm run test:real -- test/real/policy-matrix.test.ts -t "^codex "`.
 */
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { SessionOptions } from "../../src/core/api.ts";
import type { Rule } from "../../src/core/policy/rule.ts";
import { toolKinds, type Tool } from "../../src/events/tools.ts";
import { createReins } from "../../src/index.ts";
import { allProofs, proofOf } from "../../src/testing/proofs.ts";
import { mcpServer } from "../../src/testing/mcp-server.ts";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { all, whole } from "./support/events.ts";
import { cursorStandIn } from "../stand-ins/cursor/stand-in.ts";
import { realAgent, type RealAgent, type RealAgentOptions } from "./support/real-agent.ts";

interface Sample {
  readonly tool: Tool;
  /** What the rule is about. */
  readonly about: Omit<Rule, "decision">;
  /** ... where that is not what would allow it. */
  readonly allowedBy?: Omit<Rule, "decision">;
  readonly prompt: (real: RealAgent) => string;
  /** It happened. */
  readonly happened: (real: RealAgent) => boolean;
  readonly options?: SessionOptions;
}

const secret = "the word is 4711";
const wasTold = ({ model }: RealAgent, words: string): boolean =>
  model.requests.some(({ items }) => JSON.stringify(items).includes(words));

/** A page for whoever asks, and who asked. */
const pages = await (async () => {
  const asked = new Set<string>();
  const server = createServer(({ url }, response) => {
    asked.add(url ?? "");
    response.end("A page.");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
})();

const samples: Readonly<Record<string, Sample>> = {
  read: {
    tool: "read",
    about: { tool: "read", path: "hello.txt" },
    prompt: ({ cwd }) => {
      writeFileSync(join(cwd, "hello.txt"), `${secret}\n`);
      return scenarioPrompt("read", "hello.txt");
    },
    happened: (real) => wasTold(real, secret),
  },
  write: {
    tool: "write",
    about: { tool: "edit", path: "x.txt" },
    prompt: () => scenarioPrompt("write", "x.txt"),
    happened: ({ cwd }) => existsSync(join(cwd, "x.txt")),
  },
  shell: {
    tool: "shell",
    about: { command: "touch" },
    allowedBy: { command: ["true", "/usr/bin/touch y.txt"] },
    prompt: () => scenarioPrompt("shell", "true && /usr/bin/touch y.txt"),
    happened: ({ cwd }) => existsSync(join(cwd, "y.txt")),
  },
  mcp: {
    tool: "mcp",
    about: { mcp: "scripted" },
    prompt: () => scenarioPrompt("mcp"),
    happened: (real) => wasTold(real, "The sum is 5."),
    options: { mcpServers: { scripted: mcpServer() } },
  },
  fetch: {
    tool: "web_fetch",
    about: { tool: "web_fetch", domain: "127.0.0.1" },
    prompt: ({ cwd }) => scenarioPrompt("fetch", `${pages.url}${cwd}`),
    happened: ({ cwd }) => pages.asked.has(cwd),
  },
};

interface Outcome {
  readonly sample: Sample;
  readonly happened: boolean;
  /** Something waited for Reins. */
  readonly waited: boolean;
  readonly byRule: readonly string[];
}

/** Where nobody can install the program. */
const standIns: Readonly<Record<string, RealAgentOptions>> = {
  cursor: { env: { REINS_CURSOR_COMMAND: cursorStandIn(), REINS_CURSOR_TRUST: "1" } },
};

type Rules = (sample: Sample) => Rule;
const deny: Rules = ({ about }) => ({ decision: "deny", ...about });
const denyWhole: Rules = ({ tool }) => ({ decision: "deny", tool });
const ask: Rules = ({ about }) => ({ decision: "ask", ...about });
const allow: Rules = ({ about, allowedBy = about }) => ({ decision: "allow", ...allowedBy });

/** One session in which one after the other is tried, under the rules of all: to start an agent takes seconds. */
async function attempt(
  id: string,
  tried: readonly Sample[],
  { rules, ...wanted }: Omit<SessionOptions, "rules"> & { readonly rules: Rules },
): Promise<{ readonly outcomes: readonly Outcome[]; readonly notices: readonly string[] }> {
  const real = await realAgent(id, standIns[id]);
  const given = Object.assign({}, ...tried.map((sample) => sample.options)) as SessionOptions;
  const options = { agent: id, cwd: real.cwd, ...given, ...wanted, rules: tried.map(rules) };
  // What it cannot be held to is said as a divergence, which is none here.
  await using session = await (wanted.allowUnenforced === true ? real.reins.session(options) : real.session(options));
  const outcomes: Outcome[] = [];
  const notices: string[] = [];
  for (const sample of tried) {
    const { events } = await whole(session.prompt(sample.prompt(real)));
    const resolved = all(events, "permission.resolved");
    notices.push(...all(events, "notice").map(({ message }) => message));
    outcomes.push({
      sample,
      happened: sample.happened(real),
      waited: resolved.length > 0,
      byRule: resolved.flatMap(({ by, outcome, rule }) => (by === "policy" && rule !== undefined ? [outcome] : [])),
    });
  }
  return { outcomes, notices };
}

/** Of what is declared no program has to be asked. */
const declared = createReins({ guardian: false, env: {} });
afterAll(() => declared.close());

/** Whether the agent has such a tool that its model can be made to call. */
async function isPlayable(id: string, { tool }: Sample): Promise<boolean> {
  const any = { path: "/x", text: "x", command: "x", server: "scripted", name: "add", input: {} };
  const { capabilities } = await declared.agent(id);
  return (await proofOf(id)).toolCall({ tool, ...any }) !== undefined && (tool !== "mcp" || capabilities.mcpServers);
}

async function playable(id: string, among: readonly Sample[]): Promise<readonly Sample[]> {
  const can = await Promise.all(among.map((sample) => isPlayable(id, sample)));
  return among.filter((_sample, index) => can[index]);
}

describe.each((await allProofs()).map(({ id }) => id))("%s", async (id) => {
  const { capabilities } = await declared.agent(id);
  const every = Object.values(samples);
  const isHeld = ({ tool }: Sample): boolean => capabilities.hold[toolKinds[tool]] === "every";
  const held = every.filter(isHeld);
  const unheld = every.filter((sample) => !isHeld(sample));

  test("what is denied did not happen, in mode full", async ({ skip }) => {
    const tried = await playable(id, held);
    skip(tried.length === 0, "It waits with no call.");
    const { outcomes } = await attempt(id, tried, { mode: "full", rules: deny });
    for (const { sample, happened, waited, byRule } of outcomes) {
      expect([sample.tool, happened]).toEqual([sample.tool, false]);
      if (waited) expect([sample.tool, ...byRule]).toContain("denied");
    }
  });

  test("one that cannot be held to it is refused, or says so", async ({ skip }) => {
    skip(unheld.length === 0, "It waits with every call.");
    for (const sample of unheld)
      await expect(attempt(id, [sample], { mode: "full", rules: deny })).rejects.toMatchObject({
        code: "unsupported",
      });
    const tried = await playable(id, unheld);
    if (tried.length === 0) return;
    const { outcomes, notices } = await attempt(id, tried, { mode: "full", rules: deny, allowUnenforced: true });
    expect(notices.filter((notice) => notice.includes("cannot be held to the rule"))).toHaveLength(tried.length);
    for (const { sample, happened, byRule } of outcomes)
      if (byRule.includes("denied")) expect([sample.tool, happened]).toEqual([sample.tool, false]);
  });

  test("what is denied as a whole did not happen, where calls wait or tools can be taken away", async ({ skip }) => {
    const filtered = capabilities.toolFilter ? every : held;
    for (const sample of every.filter((one) => !filtered.includes(one)))
      await expect(attempt(id, [sample], { mode: "full", rules: denyWhole })).rejects.toMatchObject({
        code: "unsupported",
      });
    // A filter names tools as the agent knows them, and one server's tools have no name of their own there.
    const tried = (await playable(id, filtered)).filter((sample) => isHeld(sample) || sample.tool !== "mcp");
    skip(tried.length === 0, "It has no such tool.");
    const { outcomes } = await attempt(id, tried, { mode: "full", rules: denyWhole });
    for (const { sample, happened } of outcomes) expect([sample.tool, happened]).toEqual([sample.tool, false]);
  });

  test("what a rule allows happens though nobody is there, and what one asks about does not", async ({ skip }) => {
    const tried = await playable(id, held);
    skip(tried.length === 0, "It waits with no call.");
    const asked = await attempt(id, tried, { mode: "full", rules: ask });
    for (const { sample, happened } of asked.outcomes) expect([sample.tool, happened]).toEqual([sample.tool, false]);
    const allowed = await attempt(id, tried, { mode: "ask", rules: allow });
    for (const { sample, happened, byRule } of allowed.outcomes.filter((one) => one.waited)) {
      // Some ask once more after they were held.
      expect([sample.tool, ...new Set(byRule)]).toEqual([sample.tool, "allowed"]);
      // Some fetch over https only, or ask a service of theirs first.
      if (sample.tool !== "web_fetch") expect([sample.tool, happened]).toEqual([sample.tool, true]);
    }
  });
});
