/** Managing Cursor, and session details beside the contract, with the stand-in as a real process. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcpServer } from "../../../src/testing/mcp-server.ts";
import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const cursor = (env: Record<string, string> = {}, traps = {}) =>
  realAgent("cursor", {
    env: { REINS_CURSOR_COMMAND: cursorStandIn({ traps }), REINS_CURSOR_CHANNEL: "print", ...env },
  });

/** All request bodies sent to the model, as one text. */
const sent = ({ requests }: { readonly requests: readonly { readonly body: unknown }[] }) =>
  requests.map(({ body }) => JSON.stringify(body)).join("\n");

test("reports readiness, models, account and program details", async () => {
  const { reins } = await cursor();
  expect(await reins.agent("cursor")).toMatchObject({ ready: true, signedInHow: "API key (CURSOR_API_KEY)" });
  const manage = await reins.manage("cursor");
  expect((await manage.models()).map(({ id }) => id)).toContain("auto");
  expect((await manage.about()).map(({ label }) => label)).toContain("plan");
});

test("lists its MCP servers, approves them for the folder and lists their tools", async () => {
  const { reins, home, cwd } = await cursor();
  mkdirSync(join(home, ".cursor"), { recursive: true });
  writeFileSync(join(home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: { own: mcpServer() } }));
  const { mcp } = await reins.manage("cursor");
  expect(await mcp.list({ cwd })).toMatchObject([{ name: "own", status: "disabled" }]);
  await expect(mcp.tools("own", { cwd })).rejects.toMatchObject({ message: expect.stringContaining("approved") });
  await mcp.enable("own", { cwd });
  expect(await mcp.list({ cwd })).toMatchObject([{ name: "own", status: "connected" }]);
  expect(await mcp.tools("own", { cwd })).toMatchObject([{ name: "add", parameters: ["a", "b"] }]);
  await mcp.disable("own", { cwd });
  expect(await mcp.list({ cwd })).toMatchObject([{ name: "own", status: "disabled" }]);
  await expect(mcp.enable("nobody", { cwd })).rejects.toMatchObject({ code: "invalid_input" });
});

test("continues an empty conversation that was created by a program which does not exit", async () => {
  const real = await cursor({}, { CREATE_CHAT_STAYS: true });
  const resume = await (await real.reins.manage("cursor")).createConversation({ cwd: real.cwd });
  const session = await real.session({ mode: "full", resume });
  await real.turn(session, "Hello.");
  expect(session.state).toBe(resume.replace(":empty:", ":print:"));
});

test("starts another conversation over ACP for an empty one, and says so", async () => {
  const real = await realAgent("cursor", { env: { REINS_CURSOR_COMMAND: cursorStandIn() }, diverges: true });
  const resume = await (await real.reins.manage("cursor")).createConversation({ cwd: real.cwd });
  const session = await real.session({ mode: "full", resume });
  const { result } = await real.turn(session, "Hello.");
  expect(result.outcome).toBe("done");
  expect(session.state).toMatch(/^cursor:1:acp:/);
  expect((await real.when(session, "notice")).message).toContain("a new one was started");
});

test("keeps a system prompt in AGENTS.md while the session lives", async () => {
  const real = await cursor({ REINS_CURSOR_AGENTS_MD: "1" });
  const systemPrompt = { text: "Answer like a pirate.", how: "append" } as const;
  const session = await real.session({ mode: "full", systemPrompt });
  const { result } = await real.turn(session, "Hello.");
  expect(result.outcome).toBe("done");
  expect(sent(real.model)).toContain("Answer like a pirate.");
  await session.close();
  expect(existsSync(join(real.cwd, "AGENTS.md"))).toBe(false);
});

test("leaves an existing AGENTS.md alone, and says so", async () => {
  const real = await cursor({ REINS_CURSOR_AGENTS_MD: "1", REINS_CURSOR_HOOKS: "off" });
  const file = join(real.cwd, "AGENTS.md");
  writeFileSync(file, "Mine.\r\n");
  const systemPrompt = { text: "Not there.", how: "append" } as const;
  const session = await real.reins.session({ agent: "cursor", cwd: real.cwd, mode: "full", systemPrompt });
  const { events } = await whole(session.prompt("Hello."));
  expect(events).toContainEqual(
    expect.objectContaining({ code: "divergence", message: expect.stringContaining("AGENTS.md already exists") }),
  );
  expect(sent(real.model)).toContain("Mine.");
  expect(sent(real.model)).not.toContain("Not there.");
  await session.close();
  expect(readFileSync(file, "utf8")).toBe("Mine.\r\n");
});
