import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { context, main, one, StandInOpencode, turnOf } from "../../../test/fixtures/opencode/stand-in.ts";
import { Drive } from "../../../test/support/drive.ts";
import type { LaunchSpec } from "../../process/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { openSession } from "./server.ts";

type Prepare = (child: StandInOpencode) => void;

/** Servers that are started one after the other, each prepared in its own way; what is still there of one when the next is started is kept. */
function starts(...prepared: Prepare[]) {
  const children: StandInOpencode[] = [];
  const plugins: string[] = [];
  const left: unknown[] = [];
  const launch = async ({ env }: LaunchSpec) => {
    if (children.at(-1)?.stopped === 0) left.push("a process");
    left.push(...plugins.filter((path) => existsSync(path)));
    const { plugin } = JSON.parse(env["OPENCODE_CONFIG_CONTENT"]!) as { plugin: string[] };
    plugins.push(fileURLToPath(plugin[0]!));
    const child = new StandInOpencode();
    children.push(child);
    child.print("opencode server listening on http://127.0.0.1:4096");
    prepared[children.length - 1]?.(child);
    return child;
  };
  // Nothing here takes time, so what does not come need not be waited for.
  const deadlines = { ...context.deadlines, start: 100, probe: 100 };
  const started: AgentContext = { ...context, deadlines, processes: { launch } as never };
  const open = (more: Partial<OpenOptions> = {}) =>
    openSession(started, { sessionId: "s", cwd: "/", mode: "ask", ...more }, { path: "opencode", args: [] });
  return { open, children, plugins, left };
}

const well: Prepare = () => {};
const refuses =
  (code: number, message: string, data?: unknown, method = "GET /agent"): Prepare =>
  (child) =>
    void (child.answers[method] = { error: { code, message, data } });
const ends =
  (stderr: string): Prepare =>
  (child) => {
    child.stderr = stderr;
    child.exit({ code: 1 });
  };
/** It has not printed where it listens. */
const silent: Prepare = (child) => {
  const lines = child.lines[Symbol.asyncIterator]();
  void lines.next();
};

test.each<[string, Prepare, string, string]>([
  ["its plugin is not loaded", (child) => void (child.ready = false), "protocol_error", "did not load the plugin"],
  ["it answers with a status of its own trouble", refuses(500, "status 500."), "agent_crashed", "status 500."],
  ["it does so later", refuses(503, "status 503.", null, "POST /session"), "agent_crashed", "status 503."],
  ["it does not know its own password", refuses(401, "status 401."), "protocol_error", "status 401."],
  ["it cannot be reached", refuses(0, "ECONNRESET.", { code: "network" }), "agent_hung", "ECONNRESET."],
  ["it listens nowhere", silent, "agent_hung", "where it listens"],
  ["it ends", ends("Segmentation fault"), "agent_crashed", "Segmentation fault"],
  [
    "its events cannot be heard",
    (child) => void (child.stream = { method: "http/lost", params: { message: "status 401." } }),
    "agent_hung",
    "can no longer be heard: status 401.",
  ],
])("%s: another server is started, once", async (_what, fails, code, words) => {
  const { open, children, left, plugins } = starts(fails, well);
  const session = await open();
  expect(children).toHaveLength(2);
  expect(left).toEqual([]);
  children[1]!.begin();
  children[1]!.end();
  const said = await turnOf(new Drive(session), "go");
  expect(one(said, "notice")).toMatchObject({ level: "info", code: "restarted" });
  expect(one(said, "notice")?.message).toContain(words);
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "done" });
  await session.close();

  const twice = starts(refuses(502, "The first time."), fails, well);
  await expect(twice.open()).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string });
  expect(twice.children).toHaveLength(2);
  expect(twice.children.map(({ stopped }) => stopped > 0)).toEqual([true, true]);
  expect([...plugins, ...twice.plugins].filter((path) => existsSync(path))).toEqual([]);
});

test.each<[string, Prepare, Partial<OpenOptions>, string]>([
  ["settings that it refuses", refuses(500, "x", { name: "ConfigInvalidError", data: {} }), {}, "invalid_input"],
  ["settings with which it ends", ends("Error: Configuration is invalid at x"), {}, "invalid_input"],
  ["an argument that it does not know", ends("Unknown argument: nope"), {}, "version_unsupported"],
  ["a model that is not there", well, { model: "nope" }, "model_unknown"],
  [
    "a conversation that is not there",
    refuses(404, "x", { name: "NotFoundError" }, `GET /session/${main}`),
    { state: `opencode:1:${main}` },
    "session_not_found",
  ],
  ["an answer that is too long", refuses(0, "x", { code: "protocol_error" }), {}, "protocol_error"],
  ["what it does not want", refuses(400, "x"), {}, "protocol_error"],
])("%s would be the same with another server", async (_what, fails, options, code) => {
  const { open, children, plugins } = starts(fails, well);
  await expect(open(options)).rejects.toMatchObject({ code });
  expect(children).toHaveLength(1);
  expect(children[0]!.stopped).toBeGreaterThan(0);
  expect(plugins.filter((path) => existsSync(path))).toEqual([]);
});

test("nobody wants it any more: no other server is started", async () => {
  const gone = new AbortController();
  const { open, children } = starts((child) => {
    refuses(500, "x")(child);
    // It failed by itself, and has been ended.
    void child.exited.then(() => gone.abort());
  }, well);
  await expect(open({ signal: gone.signal })).rejects.toMatchObject({ code: "agent_crashed" });
  expect(children).toHaveLength(1);
});

test("nobody wants the second server any more: it is ended", async () => {
  const gone = new AbortController();
  const { open, children } = starts(refuses(500, "x"), () => gone.abort(), well);
  await expect(open({ signal: gone.signal })).rejects.toThrow("aborted");
  expect(children).toHaveLength(2);
  expect(children[1]!.stopped).toBeGreaterThan(0);
});
