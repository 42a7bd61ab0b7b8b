import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import type { ReinsEvent } from "../events/types.ts";
import { openTokens } from "./access/tokens.ts";
import { serverLogger } from "./logger.ts";

const over = (event: ReinsEvent): boolean => event.type === "turn.completed";

test("logs every request as a line of JSON, without tokens, keys or content", async () => {
  const lines: string[] = [];
  const tokens = openTokens();
  const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const logger = serverLogger({
    verbose: true,
    token: tokens.own,
    env: { ANTHROPIC_API_KEY: key },
    write: (line) => lines.push(line),
  });
  const server = await apiServer({ tokens, logger, variables: { ANTHROPIC_API_KEY: key } });
  const { token } = tokens.create({ name: "phone", scopes: ["admin"] });
  const { id } = await server.session("say plum-jam");
  await server.until(id, over);
  await server.call(`/api/me?token=${token}`, { token });
  await server.call(`/api/agents/${tokens.own}`, { token });
  await server.call(`/api/agents/${key}`, { token });
  await server.call("/api/login", { body: { token }, token: "" });
  await server.call("/api/login", { body: { token: "wrong-token" }, token: "" });
  await server.call(`/api/search?q=plum-jam`);
  await server.call(`/api/sessions/${id}/turns`, { body: { prompt: { text: "fail plum-jam" } } });
  await server.call(`/api/sessions/${id}/turns`, { body: "plum-jam" });
  await server.call(`/api/sessions/${id}`, { method: "PATCH", body: { title: "plum-jam" } });
  logger.error({ why: `it was ${tokens.own} and ${key}` }, "a request failed");
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.filter(({ msg }) => msg === "request").length).toBeGreaterThan(8);
  expect(logged.find(({ path }) => path === "/api/sessions")).toMatchObject({
    level: 30,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    method: "POST",
    status: 201,
    ms: expect.any(Number),
  });
  const all = lines.join("");
  for (const secret of [tokens.own, token, key, "wrong-token", "plum-jam"]) expect(all).not.toContain(secret);
});

test("logs only problems by default", () => {
  const lines: string[] = [];
  const logger = serverLogger({ verbose: false, token: "t".repeat(43), env: {}, write: (line) => lines.push(line) });
  logger.info({}, "request");
  logger.warn({ session: "ses_1" }, "a reader was disconnected because it was too slow");
  expect(lines).toHaveLength(1);
});
