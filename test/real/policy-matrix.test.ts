/**
 * Rules with the real agents: every declared hold works, and a denied call never runs. One agent alone: `npm run test:real --
 * test/real/policy-matrix.test.ts -t "^codex "`.
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
  /** The rule without its decision. */
  readonly about: Omit<Rule, "decision">;
  /** The rule that would allow the call, when it differs from `about`. */
  readonly allowedBy?: Omit<Rule, "decision">;
  readonly prompt: (real: RealAgent) => string;
  /** True when the call really ran. */
  readonly happened: (real: RealAgent) => boolean;
  readonly options?: SessionOptions;
}

const secret = "the word is 4711";
const wasTold = ({ model }: RealAgent, words: string): boolean =>
  model.requests.some(({ items }) => JSON.stringify(items).includes(words));

/** A web server that records which pages were fetched. */
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
  readonly waited: boolean;
  readonly byRule: readonly string[];
}

/** Stand-ins for programs that cannot be installed. */
const standIns: Readonly<Record<string, RealAgentOptions>> = {
  cursor: { env: { REINS_CURSOR_COMMAND: cursorStandIn(), REINS_CURSOR_TRUST: "1" } },
};

type Rules = (sample: Sample) => Rule;
const deny: Rules = ({ about }) => ({ decision: "deny", ...about });
const denyWhole: Rules = ({ tool }) => ({ decision: "deny", tool });
const ask: Rules = ({ about }) => ({ decision: "ask", ...about });
const allow: Rules = ({ about, allowedBy = about }) => ({ decision: "allow", ...allowedBy });

/** Tries all samples in one session under all rules, because starting an agent takes seconds. */
async function attempt(
  id: string,
  tried: readonly Sample[],
  { rules, ...wanted }: Omit<SessionOptions, "rules"> & { readonly rules: Rules },
): Promise<{ readonly outcomes: readonly Outcome[]; readonly notices: readonly string[] }> {
  const real = await realAgent(id, standIns[id]);
  const given = Object.assign({}, ...tried.map((sample) => sample.options)) as SessionOptions;
  const options = { agent: id, cwd: real.cwd, ...given, ...wanted, rules: tried.map(rules) };
  // A hold that the agent lacks is reported as a divergence, which is expected here.
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

/** The declarations need no program. */
const declared = createReins({ guardian: false, env: {} });
afterAll(() => declared.close());

/** True when the agent has this tool and its model can be made to call it. */
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

  test("a denied call does not run, in mode full", async ({ skip }) => {
    const tried = await playable(id, held);
    skip(tried.length === 0, "It waits with no call.");
    const { outcomes } = await attempt(id, tried, { mode: "full", rules: deny });
    for (const { sample, happened, waited, byRule } of outcomes) {
      expect([sample.tool, happened]).toEqual([sample.tool, false]);
      if (waited) expect([sample.tool, ...byRule]).toContain("denied");
    }
  });

  test("an agent that cannot be held is refused, or continues with a notice", async ({ skip }) => {
    skip(unheld.length === 0, "It waits with every call.");
    for (const sample of unheld)
      await expect(attempt(id, [sample], { mode: "full", rules: deny })).rejects.toMatchObject({
        code: "unsupported",
      });
    const tried = await playable(id, unheld);
    if (tried.length === 0) return;
    const { outcomes, notices } = await attempt(id, tried, { mode: "full", rules: deny, allowUnenforced: true });
    expect(notices.filter((notice) => notice.includes("cannot enforce the rule"))).toHaveLength(tried.length);
    for (const { sample, happened, byRule } of outcomes)
      if (byRule.includes("denied")) expect([sample.tool, happened]).toEqual([sample.tool, false]);
  });

  test("a tool that is denied entirely does not run, if calls wait or tools can be removed", async ({ skip }) => {
    const filtered = capabilities.toolFilter ? every : held;
    for (const sample of every.filter((one) => !filtered.includes(one)))
      await expect(attempt(id, [sample], { mode: "full", rules: denyWhole })).rejects.toMatchObject({
        code: "unsupported",
      });
    // A filter uses the agent's tool names, and one MCP server's tools have no common name there.
    const tried = (await playable(id, filtered)).filter((sample) => isHeld(sample) || sample.tool !== "mcp");
    skip(tried.length === 0, "It has no such tool.");
    const { outcomes } = await attempt(id, tried, { mode: "full", rules: denyWhole });
    for (const { sample, happened } of outcomes) expect([sample.tool, happened]).toEqual([sample.tool, false]);
  });

  test("an allowed call runs without a person, and one to ask about does not", async ({ skip }) => {
    const tried = await playable(id, held);
    skip(tried.length === 0, "It waits with no call.");
    const asked = await attempt(id, tried, { mode: "full", rules: ask });
    for (const { sample, happened } of asked.outcomes) expect([sample.tool, happened]).toEqual([sample.tool, false]);
    const allowed = await attempt(id, tried, { mode: "ask", rules: allow });
    for (const { sample, happened, byRule } of allowed.outcomes.filter((one) => one.waited)) {
      // Some agents ask once more after a held call.
      expect([sample.tool, ...new Set(byRule)]).toEqual([sample.tool, "allowed"]);
      // Some agents fetch over https only, or through their own service.
      if (sample.tool !== "web_fetch") expect([sample.tool, happened]).toEqual([sample.tool, true]);
    }
  });
});
