import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { context, main, one, StandInOpencode, turnOf } from "../../../test/fixtures/opencode/stand-in.ts";
import { Drive } from "../../../test/support/drive.ts";
import type { LaunchSpec } from "../../process/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { openSession } from "./server.ts";

type Prepare = (child: StandInOpencode) => void;

/** Servers that are started in turn, each with its own setup. Records what is left of one when the next is started. */
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
  // Nothing here takes time, so short deadlines are enough.
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
/** The server never prints its address. */
const silent: Prepare = (child) => {
  const lines = child.lines[Symbol.asyncIterator]();
  void lines.next();
};

test.each<[string, Prepare, string, string]>([
  ["its plugin is not loaded", (child) => void (child.ready = false), "protocol_error", "did not load the plugin"],
  ["it answers with a server error", refuses(500, "status 500."), "agent_crashed", "status 500."],
  [
    "it answers with a server error later",
    refuses(503, "status 503.", null, "POST /session"),
    "agent_crashed",
    "status 503.",
  ],
  ["it does not accept its own password", refuses(401, "status 401."), "protocol_error", "status 401."],
  ["it cannot be reached", refuses(0, "ECONNRESET.", { code: "network" }), "agent_hung", "ECONNRESET."],
  ["it prints no address", silent, "agent_hung", "did not print its address"],
  ["it ends", ends("Segmentation fault"), "agent_crashed", "Segmentation fault"],
  [
    "its events cannot be read",
    (child) => void (child.stream = { method: "http/lost", params: { message: "status 401." } }),
    "agent_hung",
    "lost the event stream of OpenCode: status 401.",
  ],
])("starts another server once: %s", async (_what, fails, code, words) => {
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
  ["settings with which it exits", ends("Error: Configuration is invalid at x"), {}, "invalid_input"],
  ["an unknown argument", ends("Unknown argument: nope"), {}, "version_unsupported"],
  ["an unknown model", well, { model: "nope" }, "model_unknown"],
  [
    "an unknown conversation",
    refuses(404, "x", { name: "NotFoundError" }, `GET /session/${main}`),
    { state: `opencode:1:${main}` },
    "session_not_found",
  ],
  ["an answer that is too long", refuses(0, "x", { code: "protocol_error" }), {}, "protocol_error"],
  ["a request that it refuses", refuses(400, "x"), {}, "protocol_error"],
])("does not start another server for %s", async (_what, fails, options, code) => {
  const { open, children, plugins } = starts(fails, well);
  await expect(open(options)).rejects.toMatchObject({ code });
  expect(children).toHaveLength(1);
  expect(children[0]!.stopped).toBeGreaterThan(0);
  expect(plugins.filter((path) => existsSync(path))).toEqual([]);
});

test("starts no other server after an abort", async () => {
  const gone = new AbortController();
  const { open, children } = starts((child) => {
    refuses(500, "x")(child);
    // The server failed by itself and has ended.
    void child.exited.then(() => gone.abort());
  }, well);
  await expect(open({ signal: gone.signal })).rejects.toMatchObject({ code: "agent_crashed" });
  expect(children).toHaveLength(1);
});

test("ends the second server after an abort", async () => {
  const gone = new AbortController();
  const { open, children } = starts(refuses(500, "x"), () => gone.abort(), well);
  await expect(open({ signal: gone.signal })).rejects.toThrow("aborted");
  expect(children).toHaveLength(2);
  expect(children[1]!.stopped).toBeGreaterThan(0);
});
