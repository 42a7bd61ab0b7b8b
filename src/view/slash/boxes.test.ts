import { describe, expect, it, test } from "vitest";
import { boxText, type Box } from "./box.ts";
import * as boxes from "./boxes.ts";
import { emailOf, mcpVerdict, type StatusFacts } from "./facts.ts";
import { policyBox, usageBox } from "./record-boxes.ts";

const agent = { id: "cursor", name: "Cursor", ready: true, installed: true, signedIn: "yes" } as const;
const server = (name: string, status: "connected" | "failed" | "needs_login" | "disabled", detail?: string) => ({
  name,
  status,
  detail,
  ...mcpVerdict({ status, detail }),
});
const linesOf = (box: Box): readonly string[] => boxText(box).split("\n");
const styleOf = (box: Box, text: string): string | undefined =>
  box.lines.flat().find((part) => part.text.includes(text))?.style;

describe("statusBox", () => {
  const status: StatusFacts = {
    ...agent,
    version: "2026.01.02",
    signedInHow: "account ada@example.org",
    model: "opus-4",
    defaultModel: "auto",
    mode: "ask",
    session: { id: "ses_0123456789abcdef", turns: 3 },
    platform: { os: "Linux 6.8", shell: "zsh" },
    mcp: [server("github", "disabled", "not loaded (needs approval)"), server("db", "connected")],
  };

  it("shows all known facts", () => {
    expect(linesOf(boxes.statusBox(status))).toEqual([
      "Cursor Status",
      "Agent      Cursor (cursor)",
      "Version    2026.01.02",
      "Signed in  ✓ ada@example.org",
      "Model      opus-4 (default: auto)",
      "Mode       ask",
      "Session    ses_01234567 (3 turns)",
      "OS         Linux 6.8",
      "Shell      zsh",
      "",
      "MCP servers",
      "├─ github  not loaded (needs approval)",
      "└─ db      loaded",
    ]);
  });

  it.each<[Partial<StatusFacts>, string]>([
    [{ signedIn: "no" }, "Signed in  no  /login to log in"],
    [{ signedIn: "unknown", signedInHow: undefined }, "Signed in  unknown"],
    [{ builtIn: true }, "Signed in  not needed"],
    [{ signedInHow: "API key (KEY)" }, "Signed in  ✓ API key (KEY)"],
    [{ model: undefined }, "Model      auto (default)"],
    [{ model: undefined, defaultModel: undefined }, "Model      the agent's default"],
    [{ session: undefined }, "Session    none yet"],
    [{ session: { id: "ses_1", turns: 1 } }, "Session    ses_1 (1 turn)"],
    [{ installed: false, version: undefined }, "Version    not installed"],
    [{ ready: false, help: "Install it." }, "→ Install it."],
    [{ mcp: undefined, mcpHelp: "It cannot tell." }, "└─ It cannot tell."],
    [{ mcp: [] }, "MCP servers  none"],
    [{ about: [{ label: "plan", value: "pro" }] }, "plan       pro"],
  ])("given %j, has the line %j", (change, expected) => {
    expect(linesOf(boxes.statusBox({ ...status, ...change }))).toContain(expected);
  });

  it("neutralises control characters from an agent", () => {
    const evil = "\u001b]0;x\u0007a\nb\u202e";
    const shown = boxes.statusBox({
      ...status,
      name: evil,
      version: evil,
      model: evil,
      help: evil,
      ready: false,
      mcp: [server(evil, "failed", evil)],
      about: [{ label: evil, value: evil }],
    });
    expect([shown.title, ...shown.lines.flat().map(({ text }) => text)].join("")).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe("modelsBox", () => {
  const models = [{ id: "auto", label: "Auto", default: true }, { id: "sonnet-4.5", label: "Sonnet" }, { id: "x" }];

  it("marks the default and current model, counts, and has a tip", () => {
    expect(linesOf(boxes.modelsBox(agent, models, "sonnet-4.5"))).toEqual([
      "Available Models (Cursor)",
      "● auto        Auto  ← default",
      "○ sonnet-4.5  Sonnet  ← current",
      "○ x",
      "",
      "3 models",
      "Tip: /model <id> to switch",
    ]);
  });

  it("uses the agent's own mark when the session has no model", () => {
    expect(boxText(boxes.modelsBox(agent, [{ id: "a", current: true }]))).toContain("○ a  ← current");
  });

  it("cuts a long list but keeps the default and current model", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ id: `m${index}`, default: index === 150 }));
    const text = boxText(boxes.modelsBox(agent, many, "m199"));
    expect(text.match(/^[●○]/gm)).toHaveLength(boxes.longestList);
    expect(text).toContain("● m150  ← default");
    expect(text).toContain("○ m199  ← current");
    expect(text).toContain("\n30 of 200 models\n");
  });

  it("says that there are no models", () => {
    expect(boxText(boxes.modelsBox(agent, []))).toContain("lists no models");
  });
});

describe("mcpBox", () => {
  it("shows state, reason and tip", () => {
    const shown = boxes.mcpBox(agent, [server("github", "connected"), server("db", "failed", "spawn ENOENT")]);
    expect(linesOf(shown)).toEqual([
      "MCP Servers (Cursor)",
      "github  loaded",
      "db      error (spawn ENOENT)",
      "",
      "2 servers",
      "Tip: /mcp enable <name> | /mcp disable <name>",
    ]);
    expect(styleOf(shown, "error")).toBe("error");
    expect(styleOf(shown, "loaded")).toBe("success");
  });

  it("suggests the login for a server that needs one, and says when there are none", () => {
    expect(boxText(boxes.mcpBox(agent, [server("a", "needs_login")]))).toContain("/mcp login <name>");
    expect(boxText(boxes.mcpBox(agent, []))).toContain("No MCP servers");
  });
});

test.each([
  ["connected", undefined, "loaded", undefined],
  ["disabled", "not loaded (needs approval)", "not loaded", "needs approval"],
  ["disabled", "not loaded", "not loaded", "disabled"],
  ["disabled", undefined, "not loaded", "disabled"],
  ["disabled", "Disabled", "not loaded", "Disabled"],
  ["needs_login", "requires_authentication", "not loaded", "needs login"],
  ["failed", "Connection closed", "error", "Connection closed"],
  ["failed", "failed", "error", "it did not start"],
  ["unknown", undefined, "unknown", undefined],
] as const)("shows the MCP status %s (%s) as %s (%s)", (status, detail, state, reason) => {
  expect(mcpVerdict({ status, detail })).toEqual(reason === undefined ? { state } : { state, reason });
});

test.each([
  [{ email: "a@b.org" }, [], "a@b.org"],
  [{ signedInHow: "account a.b@c.example" }, [], "a.b@c.example"],
  [{ signedInHow: "API key" }, [{ label: "account", value: "Ada, ada@example.org" }], "ada@example.org"],
  [{ signedInHow: "subscription" }, [{ label: "settings", value: "/a@b.c" }], undefined],
])("finds the e-mail of %j and %j: %s", (status, about, email) => {
  expect(emailOf(status, about)).toBe(email);
});

describe("signing in and out", () => {
  const { command, done, failed, token, tokenTaken, unknown, variable } = boxes.loginBoxes;
  const login = { command: "agent", args: ["login"] };
  test.each<[string, Box, readonly string[]]>([
    [
      "browser",
      command("Cursor", { ...login, withoutBrowser: "Open it elsewhere." }, "KEY"),
      [
        "Opening browser...",
        "$ agent login",
        "No browser here? Open it elsewhere.",
        "Tip: /login token to enter KEY instead",
      ],
    ],
    ["terminal", command("Cursor", login), ["Running the agent's own login...", "$ agent login"]],
    ["token", token("Cursor", "KEY"), ["Paste the value of KEY and press Enter. It is not shown."]],
    ["variable", variable("Cursor", ["KEY"], "Set KEY."), ["Set KEY.", "Tip: /login token to enter KEY now"]],
    ["variable without a help text", variable("Cursor", ["KEY"]), ["Set KEY before you start Reins."]],
    [
      "done",
      done({ ...agent, signedInHow: "account a@b.org" }),
      ["✓ Logged in as a@b.org", "Authentication tokens stored securely."],
    ],
    ["done without an account name", done({ ...agent, signedInHow: "subscription" }), ["✓ Logged in (subscription)"]],
    ["a typed token", tokenTaken("Cursor", "KEY"), ["✓ KEY is used for Cursor from your next prompt on."]],
    ["unknown", unknown(agent), ["The login has ended."]],
    ["failed", failed({ name: "Cursor", signedIn: "no", help: "Do it." }), ["✗ Not logged in.", "→ Do it."]],
    [
      "failed, still signed in",
      failed({ name: "Cursor", signedIn: "yes", signedInHow: "account" }, 2),
      ["✗ The login ended with exit code 2.", "Signed in as before: account"],
    ],
    ["logout", boxes.logoutBoxes.done(agent), ["✓ Logged out successfully.", "Stored authentication cleared."]],
    ["logout with a key", boxes.logoutBoxes.stillSignedIn(agent, "KEY"), ["⚠ The agent is still signed in: KEY"]],
    ["failed logout", boxes.logoutBoxes.failed(agent, 1), ["✗ The logout ended with exit code 1."]],
  ])("%s", (_name, shown, expected) => {
    expect(linesOf(shown)).toEqual(expect.arrayContaining([...expected]));
  });
});

test("lists agents with the next step", () => {
  const missing = { ...agent, id: "x", name: "X", ready: false, installed: false, help: "Install X." };
  expect(linesOf(boxes.agentsBox([agent, missing], "cursor"))).toEqual([
    "Agents",
    "● cursor  Cursor  ← active",
    "○ x       X  not installed",
    "  → Install X.",
    "",
    "Tip: /agent <id> to switch",
  ]);
});

test("lists the commands of the place by group, and the agent's own", () => {
  const text = boxText(boxes.helpBox({ own: [{ name: "review", description: "Review it" }], where: "page" }));
  expect(text).toMatch(/^ {2}\/model <id> +Switch model \(e\.g\. \/model sonnet-4\.5\)$/m);
  expect(text).toMatch(/^ {2}\/review +Review it$/m);
  expect(text).not.toContain("/quit");
  expect(boxText(boxes.helpBox())).toContain("/quit");
});

describe("usageBox", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  const limit = {
    agent: "a",
    window: "five_hour",
    status: "ok",
    usedPercent: 41.6,
    updatedAt: "2026-01-02T11:00:00Z",
  } as const;

  it("sums by agent and shows limits with their reset", () => {
    const row = { agent: "a", turns: 2, tokens: { input: 1200, output: 30 }, costUsd: 0.5 };
    const facts = {
      rows: [row, { ...row, turns: 1 }, { ...row, agent: "bb", costUsd: undefined, unpriced: 1 }],
      limits: [
        { ...limit, resetsAt: "2026-01-02T14:05:00Z" },
        { ...limit, window: "week", status: "reached", resetsAt: "2026-01-09T12:00:00Z" } as const,
        { ...limit, window: "over", resetsAt: "2026-01-02T11:59:00Z" },
      ],
      down: [
        { key: "bb", until: now + 30_000, reason: "It crashed." },
        { key: "old", until: now - 1, reason: "It is over." },
      ],
    };
    expect(linesOf(usageBox(facts, { days: 7, now }))).toEqual([
      "Usage",
      "The last 7 days",
      "a   3 turns · 2,400 in, 60 out · $1.00",
      "bb  2 turns · 1,200 in, 30 out · cost unknown",
      "",
      "Limits",
      "a   5-hour limit  42 % used  resets in 2 h 5 min",
      "a   weekly limit  used up  resets in 7 days",
      "",
      "Not available",
      "✗ bb  It crashed. (retry in 30.0 s)",
    ]);
  });

  it("says that nothing was used, and drops a limit without a reset after a day", () => {
    const old = { ...limit, updatedAt: "2026-01-01T11:00:00Z" };
    expect(linesOf(usageBox({ rows: [], limits: [old], down: [] }, { days: 1, now }))).toEqual([
      "Usage",
      "Today",
      "No usage yet.",
    ]);
  });
});

test("shows the policy rules in order, with remarks", () => {
  const rules = [
    { number: 1, said: "deny shell rm", source: "project", file: ".reins/policy.json" },
    { number: 2, said: "allow read", source: "answer", file: "/home/x", note: "rule 1 is first" },
  ] as const;
  expect(linesOf(policyBox({ rules, remarks: ["One is odd."] }, "ask"))).toEqual([
    "Policy",
    "Mode  ask",
    "",
    "1. deny shell rm  the project, .reins/policy.json",
    "2. allow read  your answer",
    "   → it has no effect: rule 1 is first",
    "",
    "One is odd.",
  ]);
  expect(boxText(policyBox({ rules: [], remarks: [] }))).toContain("There are no rules");
});
