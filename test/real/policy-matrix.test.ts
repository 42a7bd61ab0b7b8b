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
import type { Decision, Rule } from "../../src/core/policy/rule.ts";
import { toolKinds } from "../../src/events/tools.ts";
import { createReins } from "../../src/index.ts";
import type { Tool } from "../../src/events/tools.ts";
import { allProofs, proofOf } from "../../src/testing/proofs.ts";
import { mcpServer } from "../../src/testing/mcp-server.ts";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { all, whole } from "./support/events.ts";
import { cursorStandIn } from "../../src/testing/stand-ins/cursor/stand-in.ts";
import { realAgent } from "./support/real-agent.ts";
import type { RealAgent, RealAgentOptions } from "./support/real-agent.ts";

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
    allowedBy: { command: ["true", "/usr/bin/touch x.txt"] },
    prompt: () => scenarioPrompt("shell", "true && /usr/bin/touch x.txt"),
    happened: ({ cwd }) => existsSync(join(cwd, "x.txt")),
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
  readonly happened: boolean;
  /** Something waited for Reins. */
  readonly waited: boolean;
  readonly byRule: readonly string[];
  readonly notices: readonly string[];
}

/** Where nobody can install the program. */
const standIns: Readonly<Record<string, RealAgentOptions>> = {
  cursor: { env: { REINS_CURSOR_COMMAND: cursorStandIn(), REINS_CURSOR_TRUST: "1" } },
};

/** A place and a session for one try: what happened before must not count. */
async function attempt(id: string, sample: Sample, wanted: SessionOptions): Promise<Outcome> {
  const real = await realAgent(id, standIns[id]);
  // What it cannot be held to is said as a divergence, which is none here.
  const options = { agent: id, cwd: real.cwd, ...sample.options, ...wanted };
  await using session = await (wanted.allowUnenforced === true ? real.reins.session(options) : real.session(options));
  const { events } = await whole(session.prompt(sample.prompt(real)));
  const resolved = all(events, "permission.resolved");
  return {
    happened: sample.happened(real),
    waited: resolved.length > 0,
    byRule: resolved.flatMap(({ by, outcome, rule }) => (by === "policy" && rule !== undefined ? [outcome] : [])),
    notices: all(events, "notice").map(({ message }) => message),
  };
}

const rule = (decision: Decision, { about, allowedBy = about }: Sample): SessionOptions => ({
  rules: [{ decision, ...(decision === "allow" ? allowedBy : about) }],
});
/** Of what is declared no program has to be asked. */
const declared = createReins({ guardian: false, env: {} });
afterAll(() => declared.close());
const ids = (await allProofs()).map(({ id }) => id);
const tried = Object.entries(samples).map(([name, sample]) => ({ name, sample }));

describe.each(ids)("%s", (id) => {
  describe.each(tried)("$name", ({ sample }) => {
    const kind = toolKinds[sample.tool];
    /** What the agent declares, and whether it has such a tool that its model can be made to call. */
    const known = async () => {
      const { capabilities } = await declared.agent(id);
      const calls = (await proofOf(id)).toolCall({
        tool: sample.tool,
        path: "/x",
        text: "x",
        command: "x",
        server: "scripted",
        name: "add",
        input: {},
      });
      return {
        can: capabilities,
        hold: capabilities.hold[kind],
        playable: calls !== undefined && (sample.tool !== "mcp" || capabilities.mcpServers),
      };
    };

    test(
      "what is denied did not happen, in mode full; or the agent is refused",
      { timeout: 120_000 },
      async ({ skip }) => {
        const { hold, playable } = await known();
        const denied: SessionOptions = { mode: "full", ...rule("deny", sample) };
        if (hold === "every") {
          skip(!playable, "It has no such tool.");
          const { happened, waited, byRule } = await attempt(id, sample, denied);
          expect(happened).toBe(false);
          if (waited) expect(byRule).toContain("denied");
          return;
        }
        await expect(attempt(id, sample, denied)).rejects.toMatchObject({ code: "unsupported" });
        if (!playable) return;
        const { happened, byRule, notices } = await attempt(id, sample, { ...denied, allowUnenforced: true });
        expect(notices.join("\n")).toContain("cannot be held to the rule");
        if (byRule.includes("denied")) expect(happened).toBe(false);
      },
    );

    test(
      "what is denied as a whole did not happen, where calls wait or tools can be taken away",
      { timeout: 120_000 },
      async ({ skip }) => {
        const { can, hold, playable } = await known();
        const denied: SessionOptions = { mode: "full", rules: [{ decision: "deny", tool: sample.tool }] };
        if (hold !== "every" && !can.toolFilter)
          return expect(attempt(id, sample, denied)).rejects.toMatchObject({ code: "unsupported" });
        skip(!playable, "It has no such tool.");
        // A filter names tools as the agent knows them, and one server's tools have no name of their own there.
        skip(hold !== "every" && sample.tool === "mcp", "Tools of MCP servers are not taken away as a whole.");
        expect((await attempt(id, sample, denied)).happened).toBe(false);
      },
    );

    test(
      "what a rule allows happens though nobody is there, and what one asks about does not",
      { timeout: 120_000 },
      async ({ skip }) => {
        const { hold, playable } = await known();
        skip(!playable || hold !== "every", "It does not wait with each such call.");
        const allowed = await attempt(id, sample, { mode: "ask", ...rule("allow", sample) });
        const asked = await attempt(id, sample, { mode: "full", ...rule("ask", sample) });
        expect(asked.happened).toBe(false);
        if (!allowed.waited) return;
        // Some ask once more after they were held.
        expect(new Set(allowed.byRule)).toEqual(new Set(["allowed"]));
        // Some fetch over https only, or ask a service of theirs first.
        if (sample.tool !== "web_fetch") expect(allowed.happened).toBe(true);
      },
    );
  });
});
