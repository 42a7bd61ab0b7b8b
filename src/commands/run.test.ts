import { onTestFinished, describe, expect, it, test } from "vitest";
import type { AgentEntry, AgentManagement, McpServerInfo, Readiness } from "../agents/contract.ts";
import { createReins } from "../core/reins.ts";
import { ReinsError } from "../events/errors.ts";
import { boxText } from "../view/slash/box.ts";
import { slashCommands, type SlashName } from "../view/slash/commands.ts";
import { testFolder } from "../../test/support/core.ts";
import { managedAgent } from "../../test/support/managed-agent.ts";
import { testStore } from "../../test/support/store.ts";
import { statusFacts } from "./facts.ts";
import { modelNamed } from "./models-and-mcp.ts";
import { loginResult, logoutResult, runSlash, type SlashContext } from "./run.ts";

const entry = (
  id: string,
  manage: AgentManagement,
  found: Partial<Readiness> = {},
  keys?: readonly string[],
): AgentEntry => managedAgent(id, manage, { found, keys });

function context(agents: readonly AgentEntry[], more: Partial<SlashContext> = {}): SlashContext {
  const home = testFolder();
  const { store } = testStore();
  const env = { PATH: "/nowhere", HOME: home, REINS_HOME: home };
  const reins = createReins({ agents, env, guardian: false, store });
  onTestFinished(() => reins.close());
  return { reins, agent: agents[0]?.id ?? "demo", cwd: testFolder(), where: "terminal", ...more };
}

async function run(name: SlashName, args: string, at: SlashContext) {
  const { boxes, effect } = await runSlash({ name }, args, at);
  return { text: boxes.map(boxText).join("\n\n"), effect };
}

const models = [
  { id: "auto", default: true },
  { id: "claude-sonnet-4.5", label: "Sonnet" },
  { id: "gpt-5" },
  { id: "gpt-5-mini" },
];

test("gives an answer or an effect for every command, and never throws", async () => {
  const at = context([]);
  for (const { name } of slashCommands) {
    const { boxes, effect } = await runSlash({ name }, "", at);
    expect([name, boxes.length > 0 || effect !== undefined]).toEqual([name, true]);
  }
});

describe("/status", () => {
  it("shows the demo agent, its session and the machine", async () => {
    const at = context([], { mode: "ask", platform: { os: "Linux 6", shell: "zsh" } });
    const { reins, cwd } = at as SlashContext & { reins: ReturnType<typeof createReins> };
    await using session = await reins.session({ agent: "demo", cwd });
    await session.prompt("say hello").result;
    const { text } = await run("status", "", { ...at, sessionId: session.id });
    expect(text).toMatch(
      /^Demo Status\nAgent +Demo \(demo\)\nVersion +1\nSigned in +not needed\nModel +scripted \(default\)\n/,
    );
    expect(text).toMatch(/^Session +ses_[0-9a-f]{8} \(1 turn\)$/m);
    expect(text).toMatch(/^OS +Linux 6\nShell +zsh$/m);
    expect(text).toContain("└─ The demo agent has no MCP servers: use another agent for them.");
    // Without a session, the last one in the folder is used.
    const facts = await statusFacts(reins, { agent: "demo", cwd });
    expect(facts.session).toMatchObject({ id: session.id, turns: 1 });
    expect((await statusFacts(reins, { agent: "demo", cwd: testFolder() })).session).toBeUndefined();
  });

  it("has the e-mail and the MCP servers with their reasons", async () => {
    const list = async (): Promise<McpServerInfo[]> => [
      { name: "github", status: "disabled", detail: "not loaded (needs approval)" },
    ];
    const at = context([
      entry("toy", { mcp: { list }, models: async () => models }, { signedInHow: "account a@b.org" }),
    ]);
    const { text } = await run("status", "", { ...at, model: "gpt-5" });
    expect(text).toContain("✓ a@b.org");
    expect(text).toContain("gpt-5 (default: auto)");
    expect(text).toContain("└─ github  not loaded (needs approval)");
    expect(await statusFacts(at.reins, { agent: "toy" })).toMatchObject({
      email: "a@b.org",
      mcp: [{ name: "github", status: "disabled", state: "not loaded", reason: "needs approval" }],
    });
  });
});

describe("/models and /model", () => {
  it("lists models with marks", async () => {
    const at = context([entry("toy", { models: async () => models })], { model: "gpt-5" });
    const { text } = await run("models", "", at);
    expect(text).toContain("● auto               ← default".replace(/ +←/, "  ←"));
    expect(text).toContain("○ gpt-5  ← current");
  });

  test.each([
    ["gpt-5", "gpt-5"],
    ["GPT-5", "gpt-5"],
    ["sonnet", "claude-sonnet-4.5"],
    ["sonnet-4.5", "claude-sonnet-4.5"],
  ])("switches with /model %s to %s", async (wanted, model) => {
    const { effect } = await run("model", wanted, context([entry("toy", { models: async () => models })]));
    expect(effect).toEqual({ kind: "switch_model", model });
  });

  it("suggests similar ids for an unknown one, and passes it on when there is no list", async () => {
    const unknown = await run("model", "gtp-5", context([entry("toy", { models: async () => models })]));
    expect(unknown).toEqual({
      text: "/model\n✗ Toy has no model gtp-5.\n→ Did you mean gpt-5? /models lists them.",
      effect: undefined,
    });
    expect((await run("model", "any", context([entry("toy", {})]))).effect).toEqual({
      kind: "switch_model",
      model: "any",
    });
    expect(modelNamed("gpt", models)).toBeUndefined();
  });
});

describe("/mcp", () => {
  function withServers() {
    const servers = new Map<string, McpServerInfo["status"]>([["github", "disabled"]]);
    const mcp = {
      list: async () => [...servers].map(([name, status]): McpServerInfo => ({ name, status })),
      enable: async (name: string) => void servers.set(name, "connected"),
      login: async (name: string) => ({ command: "toy", args: ["mcp", "login", name] }),
    };
    return context([entry("toy", { mcp, instead: { "mcp.disable": "Edit its settings." } })]);
  }

  it("enables a server and shows the new list", async () => {
    const at = withServers();
    expect((await run("mcp", "", at)).text).toContain("github  not loaded (disabled)");
    const { text } = await run("mcp", "enable github", at);
    expect(text).toContain("✓ github is enabled.");
    expect(text).toContain("github  loaded");
  });

  test.each([
    ["disable github", "✗ Toy has no command to disable an MCP server.\n→ Edit its settings."],
    ["enable gihtub", "✗ Toy has no MCP server gihtub.\n→ Did you mean github?"],
    ["enable", "✗ Which MCP server should /mcp enable use?"],
    ["destroy github", "✗ /mcp cannot destroy."],
  ])("answers /mcp %s with %j", async (args, expected) => {
    expect((await run("mcp", args, withServers())).text).toContain(expected);
  });

  it("runs the login of a server in the terminal", async () => {
    const { effect } = await run("mcp", "login github", withServers());
    expect(effect).toMatchObject({ kind: "login", server: "github", command: { args: ["mcp", "login", "github"] } });
  });
});

describe("/login and /logout", () => {
  const login = { command: "toy", args: ["login"], withoutBrowser: "Use a code." };

  it("runs the agent's login command, then says who is signed in", async () => {
    const signedIn: { signedIn: Readiness["signedIn"]; signedInHow?: string } = { signedIn: "no" };
    const at = context([entry("toy", { login: async () => login, logout: async () => login }, signedIn)]);
    const { text, effect } = await run("login", "", at);
    expect(text).toContain("Opening browser...");
    expect(effect).toEqual({ kind: "login", command: login });
    expect(boxText(await loginResult(at))).toContain("✗ Not logged in.");
    expect(boxText(await logoutResult(at))).toContain("✓ Logged out successfully.");
    const there = context([entry("toy", {}, { signedInHow: "account a@b.org" })]);
    expect(boxText(await loginResult(there))).toContain(
      "✓ Logged in as a@b.org\nAuthentication tokens stored securely.",
    );
    expect(boxText(await logoutResult(there))).toContain("still signed in: account a@b.org");
    expect(boxText(await loginResult(there, 3))).toContain("✗ The login ended with exit code 3.");
    expect(boxText(await logoutResult(there, 3))).toContain("✗ The logout ended with exit code 3.");
    // An agent that cannot report its sign-in is not called signed in.
    const silent = boxText(await loginResult(context([entry("toy", {}, { signedIn: "unknown" })])));
    expect(silent).toContain("Toy does not report whether it is signed in");
    expect(silent).not.toContain("✓");
  });

  it("asks for a token, names the variable, or says that nothing is needed", async () => {
    const at = context([entry("toy", { instead: { login: "Set TOY_KEY." } }, {}, ["TOY_KEY"])]);
    const asked = await run("login", "", at);
    expect(asked.text).toContain("Set TOY_KEY.\nTip: /login token");
    expect(asked.effect).toEqual({ kind: "ask_token", variable: "TOY_KEY" });
    expect((await run("login", "", { ...at, where: "page" })).effect).toBeUndefined();
    expect((await run("login", "token", at)).effect).toEqual({ kind: "ask_token", variable: "TOY_KEY" });
    expect((await run("login", "", context([]))).text).toContain("→ It needs no account: send it a prompt.");
  });
});

test.each([
  ["not_installed", "→ Get it. Then use /models again."],
  ["not_authenticated", "→ Get it. Use /login to log in."],
  ["internal", "→ Get it."],
] as const)("says what to do after a failure with %s: %s", async (code, expected) => {
  const fail = () => Promise.reject(new ReinsError(code, "It failed.", { help: "Get it." }));
  expect((await run("models", "", context([entry("toy", { models: fail })]))).text).toBe(
    `/models\n✗ It failed.\n${expected}`,
  );
});

describe("/agent and /handoff", () => {
  const missing = entry("gone", {}, { ready: false, installed: false, help: "Run `get gone`." });
  const out = entry("out", {}, { ready: false, signedIn: "no" });
  const at = () => context([entry("toy", {}), missing, out]);

  test.each([
    ["out", "✗ Out is active but not signed in.\n→ Use /login to log in.", { kind: "switch_agent", agent: "out" }],
    ["TOY", "✓ Toy is active.", { kind: "switch_agent", agent: "toy" }],
    ["Demo", "✓ Demo is active.", { kind: "switch_agent", agent: "demo" }],
    ["gone", "✗ Gone is not installed.\n→ Run `get gone`. Then use /agent gone again.", undefined],
    ["tyo", "✗ There is no agent tyo.\n→ Did you mean toy?", undefined],
  ])("/agent %s", async (wanted, text, effect) => {
    expect(await run("agent", wanted, at())).toEqual({ text: `/agent\n${text}`, effect });
  });

  it("hands off only a session", async () => {
    expect((await run("handoff", "toy", at())).text).toContain("There is no conversation yet.");
    expect((await run("handoff", "toy", { ...at(), sessionId: "s" })).effect).toEqual({ kind: "handoff", to: "toy" });
  });
});

test.each<[SlashName, string, object | undefined]>([
  ["mode", "plan", { kind: "switch_mode", mode: "plan" }],
  ["mode", "full", undefined],
  ["mode", "odd", undefined],
  ["mode", "", { kind: "pick", what: "mode" }],
  ["resume", "", { kind: "resume", session: "last" }],
  ["resume", "abc", { kind: "resume", session: "abc" }],
  ["fork", "", { kind: "fork", session: "s" }],
  ["compare", "fix it", { kind: "compare", prompt: "fix it" }],
  ["compare", "", { kind: "panel", panel: "comparisons", query: "" }],
  ["export", "", { kind: "export", format: "md", file: undefined }],
  ["export", "html a b.html", { kind: "export", format: "html", file: "a b.html" }],
  ["export", "x.jsonl", { kind: "export", format: "jsonl", file: "x.jsonl" }],
  ["cloud", "do it", { kind: "cloud_prompt", prompt: "do it" }],
  ["sessions", "bug", { kind: "panel", panel: "sessions", query: "bug" }],
])("/%s %s", async (name, args, effect) => {
  const { boxes, effect: found } = await runSlash({ name }, args, context([entry("toy", {})], { sessionId: "s" }));
  expect(found).toEqual(effect);
  // The answer to a mode switch explains the mode.
  const said = effect === undefined || ("kind" in effect && effect.kind === "switch_mode");
  expect(boxes).toHaveLength(said ? 1 : 0);
});

describe("in a page", () => {
  const page = (agents: readonly AgentEntry[]) => context(agents, { where: "page" });

  test.each(["inline", "full", "quit"] as const)("/%s says in one sentence what to do instead", async (name) => {
    const { text, effect } = await run(name, "", page([]));
    expect(effect).toBeUndefined();
    expect(text).toMatch(new RegExp(`^/${name}\n✗ A page .+\\.\n→ .+\\.$`));
  });

  it("shows a sign-in command with its variables to run on the server's machine, and runs nothing", async () => {
    const command = { command: "toy", args: ["log in"], env: { A: "1" }, withoutBrowser: "Use --device." };
    const at = page([entry("toy", { login: async () => command, logout: async () => command }, {}, ["TOY_KEY"])]);
    const { text, effect } = await run("login", "", at);
    expect(text).toContain("Run this in a terminal on the server's machine:\n$ A=1 toy 'log in'\n");
    expect(text).toContain("No browser there? Use --device.\nTip: /login token to enter TOY_KEY in this page");
    expect(effect).toEqual({ kind: "login", command });
    expect((await run("logout", "", at)).text).toContain("Log Out (Toy)\nRun this in a terminal");
    expect(await run("login", "token", at)).toEqual({ text: "", effect: { kind: "ask_token", variable: "TOY_KEY" } });
  });

  it("shows the sign-in command of an MCP server", async () => {
    const login = async () => ({ command: "toy", args: ["mcp", "login", "gh"] });
    const at = page([entry("toy", { mcp: { list: async () => [], login } })]);
    expect((await run("mcp", "login gh", at)).text).toContain("MCP Login (gh)\n");
  });
});
