/** The panels and lists of the interface, each opened by its key and its command. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { McpServerInfo, Readiness } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import { managedAgent } from "../../../test/support/managed-agent.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { keys, openTui, type Tui } from "../../../test/support/tui.ts";
import { columnsOf } from "../../events/columns.ts";
import { drawOverlay, picker, shownItems } from "../app/overlay.ts";
import { emptyEditor, setText } from "../editor/index.ts";
import { themes } from "../themes.ts";
import { plain } from "../wrap.ts";

type McpTools = () => Promise<{ name: string; parameters: string[] }[]>;

const leader = keys.ctrl("x");

/** Opens a panel by its key, and closes it. */
async function opens(tui: Tui, key: string, words: string | RegExp): Promise<void> {
  tui.type(leader + key);
  await tui.shows(words);
  tui.type(keys.escape);
  await tui.hides("Esc closes");
}

test("MCP servers: shows status and reason, lists tools, enables, logs in", async () => {
  const servers: McpServerInfo[] = [
    { name: "github", status: "disabled", detail: "not loaded (needs approval)" },
    { name: "db\u001b[2J", status: "failed", detail: "it crashed" },
  ];
  const tools = vi.fn<McpTools>(async () => [{ name: "query", parameters: ["sql"] }]);
  const enable = vi.fn<(name: string) => Promise<void>>(async (name) => {
    servers[0] = { name, status: "connected" };
  });
  const login = async (name: string) => ({ command: "toy", args: ["mcp", "login", name] });
  const ran: string[][] = [];
  const toy = managedAgent("toy", { mcp: { list: async () => servers, tools, enable, login } });
  const tui = openTui({
    first: { agent: "toy" },
    agents: [toy],
    columns: 110,
    host: { runProgram: async (argv) => (ran.push([...argv]), 0) },
  });
  await tui.shows("Toy");
  tui.type(`${leader}p`);
  await tui.shows("MCP servers (Toy)");
  expect(tui.screen()).toMatch(/○ github +not loaded \(needs approval\)/);
  expect(tui.screen()).toMatch(/✗ db.*error \(it crashed\)/);
  expect(tools).not.toHaveBeenCalled();
  tui.type(keys.enter);
  await tui.shows("query  sql");
  tui.type(keys.escape);
  await tui.hides("Tools of");
  tui.send("/mcp");
  await tui.shows("MCP servers (Toy)");
  tui.type(keys.ctrl("e"));
  await tui.shows(/● github +loaded/);
  tui.type(keys.ctrl("g"));
  await vi.waitFor(() => expect(ran).toEqual([["toy", "mcp", "login", "github"]]));
  await tui.shows("MCP servers (Toy)");
});

test("says that an agent has no MCP servers, and survives closing a list while it loads", async () => {
  const list = Promise.withResolvers<McpServerInfo[]>();
  const toy = managedAgent("toy", { mcp: { list: () => list.promise } });
  const tui = openTui({ first: { agent: "toy" }, agents: [toy] });
  tui.type(`${leader}p`);
  await tui.shows("Loading…");
  tui.type(keys.escape);
  await tui.hides("Loading…");
  list.resolve([]);
  tui.type(`${leader}p`);
  await tui.shows("No MCP servers are set up for this agent.");
});

test("opens usage and limits, settings and keys by their shortcuts", async () => {
  const tui = openTui({ keep: true, columns: 100, rows: 40 });
  await tui.shows("Ctrl+X then ?");
  await opens(tui, "u", "The last 7 days");
  await opens(tui, ",", "Settings");
  await opens(tui, "?", "Shortcuts");
});

test("settings: saves the theme, moves the repository bar, refuses an invalid key", async () => {
  const saved: (readonly [string, unknown])[] = [];
  const tui = openTui({ host: { saveSetting: async (key, value) => void saved.push([key, value]) } });
  tui.send("/settings");
  await tui.shows(/Theme +dark/);
  tui.type(keys.enter);
  await tui.shows("○ light");
  tui.type(`light${keys.enter}`);
  await vi.waitFor(() => expect(saved).toEqual([["ui.theme", "light"]]));
  tui.send("/settings");
  await tui.shows(/Theme +light/);
  tui.type(`vi in the prompt${keys.enter}`);
  await tui.shows(/Vi keys in the prompt +on/);
  tui.type(`leader${keys.enter}`);
  await tui.shows("Leader key");
  tui.type(`${keys.ctrl("u")}shift+q${keys.enter}`);
  await tui.shows("This key cannot be the leader key.");
  expect(saved).toEqual([
    ["ui.theme", "light"],
    ["ui.vi", true],
  ]);
});

test("runs the agent's own sign-out and update, and shows the result", async () => {
  const found: { signedIn: Readiness["signedIn"]; version: string } = { signedIn: "yes", version: "1.0.0" };
  const command = (name: string) => async () => ({ command: "toy", args: [name] });
  const toy = managedAgent("toy", { logout: command("logout"), update: command("update") }, { found });
  const runProgram = async ([, what]: readonly string[]): Promise<number> => {
    if (what === "logout") found.signedIn = "no";
    if (what === "update") found.version = "2.0.0";
    return 0;
  };
  const tui = openTui({ first: { agent: "toy" }, agents: [toy], host: { runProgram } });
  await tui.shows("Toy");
  tui.type(`${leader},update${keys.enter}`);
  await tui.shows("✓ Toy is at version 2.0.0.");
  tui.type(`${leader},sign out${keys.enter}`);
  await tui.shows("✓ Logged out successfully.");
  expect(tui.screen()).toContain("Stored authentication cleared.");
});

test("asks for a token without echo, passes it only to the agent, and does not claim a sign-in", async () => {
  let given: Readonly<Record<string, string>> | undefined;
  const toy = managedAgent(
    "toy",
    { instead: { login: "Set TOY_KEY." } },
    {
      ...{ found: { signedIn: "no", ready: false }, keys: ["TOY_KEY"] },
      open: ({ env }) => {
        given = env;
        return Promise.reject(new ReinsError("not_authenticated", "The key was refused.", { agent: "toy" }));
      },
    },
  );
  const tui = openTui({ first: { agent: "toy" }, agents: [toy] });
  await tui.shows("Toy");
  tui.send("/login");
  await tui.shows("Value of TOY_KEY");
  tui.type("sesame-123");
  await tui.shows("••••••••••");
  tui.type(keys.enter);
  await tui.shows("TOY_KEY is used for Toy from your next prompt on.");
  expect(tui.screen()).not.toContain("Logged in");
  tui.send("go");
  await tui.shows("Toy is not signed in");
  expect(given).toEqual({ TOY_KEY: "sesame-123" });
  expect(tui.port.log.join("")).not.toContain("sesame");
});

test("not signed in: starts the sign-in, then says who is signed in", async () => {
  const found: Partial<Readiness> & { signedIn: Readiness["signedIn"] } = { signedIn: "no", ready: false };
  const login = async () => ({ command: "toy", args: ["login"], withoutBrowser: "Use a code." });
  const toy = managedAgent("toy", { login }, { found });
  const runProgram = async (): Promise<number> => {
    Object.assign(found, { signedIn: "yes", ready: true, signedInHow: "account ada@example.org" });
    return 0;
  };
  const tui = openTui({ agents: [toy], host: { runProgram } });
  await tui.shows("Demo");
  tui.send("/agent toy");
  await tui.shows("y sign in");
  tui.type("y");
  await tui.shows("✓ Logged in as ada@example.org");
  expect(tui.screen()).toContain("Opening browser...");
  expect(tui.screen()).toContain("Authentication tokens stored securely.");
});

test("not installed: shows how to install, and retries", async () => {
  const found: Partial<Readiness> & { installed: boolean } = { installed: false, ready: false, help: "Run `get toy`." };
  const toy = managedAgent("toy", {}, { found });
  const tui = openTui({ agents: [toy], columns: 100 });
  await tui.shows("Demo");
  tui.type(`${leader}atoy`);
  await tui.shows(/Toy +Run `get toy`\./);
  tui.type(keys.enter);
  await tui.shows("y try again");
  tui.type("y");
  await tui.hides("y try again");
  await tui.shows("y try again");
  Object.assign(found, { installed: true, ready: true });
  tui.type("y");
  await tui.shows("✓ Toy");
});

test("Enter that arrives with the offer to sign in is no answer", async () => {
  const found = { signedIn: "no", ready: false } as const;
  const toy = managedAgent("toy", { login: async () => ({ command: "toy", args: ["login"] }) }, { found });
  const runProgram = vi.fn<() => Promise<number>>(async () => 0);
  const tui = openTui({ agents: [toy], host: { runProgram } });
  await tui.shows("Demo");
  // Typed right after the first frame with the offer, before any timer can fire.
  const write = tui.port.write.bind(tui.port);
  let typed = false;
  tui.port.write = (bytes) => {
    write(bytes);
    if (typed || !bytes.includes("Toy is not signed in")) return;
    typed = true;
    queueMicrotask(() => tui.type(keys.enter));
  };
  tui.send("/agent toy");
  await tui.shows("y sign in");
  expect(runProgram).not.toHaveBeenCalled();
  tui.type(keys.enter);
  await vi.waitFor(() => expect(runProgram).toHaveBeenCalledOnce());
});

test("sessions: lists all, searches their text, resumes, forks and hands off", async () => {
  const tui = openTui({ keep: true, columns: 120, agents: [managedAgent("toy", {})] });
  tui.send("say the needle is here");
  await tui.shows("the needle is here");
  await tui.hides("Esc Esc stops");
  tui.type(`${leader}n`);
  await tui.hides("needle");
  tui.send("/sessions nothing like this");
  await tui.shows("Nothing matches.");
  tui.type(keys.ctrl("u"));
  await tui.shows("say the needle is here");
  tui.type("needle");
  tui.type(keys.ctrl("s"));
  await tui.shows("Sessions with “needle”");
  await tui.shows("Demo");
  tui.type(keys.enter);
  await tui.shows("the needle is here");
  tui.type(`${leader}sneedle`);
  await tui.shows("finished · on the screen");
  tui.type(keys.ctrl("k"));
  await tui.shows("This is the copy.");
  tui.type(`${leader}sneedle`);
  await tui.shows("on the screen");
  tui.type(keys.ctrl("o"));
  await tui.shows("Hand off to");
});

test("a resumed session takes the place of the empty one at the start, with what was typed there", async () => {
  const before = openTui({ keep: true });
  before.send("list; say kept words");
  await before.shows("▸ Worked");
  const [kept] = await before.reins.sessions.list();
  const open = Promise.withResolvers<void>();
  const tui = openTui({
    first: { resume: kept!.id },
    host: { open: () => open.promise.then(() => ({ reins: before.reins, served: false })) },
  });
  tui.type("a draft");
  await tui.shows("a draft");
  open.resolve();
  await tui.shows("kept words");
  await tui.shows("a draft");
  tui.type(`${leader}s`);
  await tui.shows("on the screen");
  expect(tui.screen()).not.toContain("New session");
});

test.each(["/handoff reviewer", "/agent reviewer"])(
  "%s: the agent of the file goes on as the file says",
  async (typed) => {
    const puppet = createPuppet({ id: "other" });
    puppet.onPrompt = (session) =>
      session.say(
        { type: "message.completed", messageId: "m", text: "As the reviewer." },
        { type: "turn.ended", outcome: "done" },
      );
    const prepare = (cwd: string): void => {
      mkdirSync(join(cwd, ".reins", "agents"), { recursive: true });
      writeFileSync(join(cwd, ".reins", "agents", "reviewer.md"), "---\nagent: other\n---\nReview with care.\n");
    };
    const tui = openTui({ keep: true, prepare, agents: [puppet.entry] });
    tui.send("say the first answer");
    await tui.shows("the first answer");
    await tui.hides("Esc Esc stops");
    tui.send(typed);
    await tui.shows("demo handed over to other");
    tui.send("go on");
    await tui.shows("As the reviewer.");
    expect(JSON.stringify(puppet.session.options.systemPrompt)).toContain("Review with care.");
    expect(puppet.session.prompts[0]!.text).toMatch(/# Briefing[^]*go on[^]*the first answer/);
    tui.send("/handoff nobody");
    await tui.shows("There is no agent nobody.");
  },
);

test("/agent opens the list, and says nothing besides", async () => {
  const tui = openTui();
  await tui.shows("Demo");
  tui.send("/agent");
  await tui.shows("Enter selects");
  await tui.shows("● Demo");
  tui.type(keys.escape);
  await tui.hides("Enter selects");
  expect(tui.screen()).not.toContain("╭");
});

test("keeps the queue when a turn is stopped, to be edited or sent with Enter", async () => {
  const tui = openTui();
  tui.send("sleep 60000");
  await tui.shows("Esc Esc stops");
  tui.send("say one");
  tui.send("say two");
  await tui.shows("2. say two");
  tui.type(keys.escape);
  await tui.shows("Press Esc again to stop the turn.");
  tui.type(keys.escape);
  await tui.shows("Enter sends it");
  tui.type(keys.up);
  await tui.hides("2. say two");
  tui.type(`${keys.ctrl("u")}`);
  tui.type(keys.enter);
  await tui.hides("Queued");
  await tui.shows("one");
});

test("keeps items with the same text in a filter, such as a session and its fork", () => {
  const items = ["1", "2"].map((id) => ({ id, label: "fix the build", detail: "demo · finished" }));
  const list = { ...picker("Sessions", items, () => {}), query: setText(emptyEditor, "build") };
  expect(shownItems(list).map(({ id }) => id)).toEqual(["1", "2"]);
});

test("shows the position in a list that is longer than its room", async () => {
  const tui = openTui({ rows: 14 });
  await tui.shows(/Demo/);
  tui.type(`${leader},`);
  await tui.shows(/1-\d of \d+ · Enter selects/);
});

test.each([20, 60, 120])("at %d columns the details of a list stand in one column", (width) => {
  const items = ["a", "longer label", "漢字", "x".repeat(200)].map((label) => ({ id: label, label, detail: "DETAIL" }));
  const marked = items.map((item, at) => (at === 0 ? { ...item, mark: "●" } : item));
  const { rows } = drawOverlay(
    picker("List", marked, () => {}),
    width,
    12,
    themes.none,
  );
  const list = rows.slice(2, -1).map(plain);
  for (const row of list) expect(columnsOf(row)).toBeLessThanOrEqual(width);
  const at = list.filter((row) => row.includes("DETAIL")).map((row) => columnsOf(row.slice(0, row.indexOf("DETAIL"))));
  expect(new Set(at).size).toBe(width === 20 ? 0 : 1);
});

test("marks a session with a draft in the list", async () => {
  const tui = openTui();
  tui.send("say first");
  await tui.shows("first");
  tui.type("not sent yet");
  tui.type(`${leader}s`);
  await tui.shows("demo · finished · draft · on the screen");
});
