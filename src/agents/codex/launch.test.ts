import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modes } from "../../events/modes.ts";
import type { OpenOptions } from "../contract.ts";
import { historyItems, nativeMode, serverArguments, threadSettings, turnSettings, unservedServers } from "./launch.ts";
import { environmentOf } from "./program.ts";

const options = (more: Partial<OpenOptions> = {}): OpenOptions => ({ sessionId: "s", cwd: "/w", mode: "ask", ...more });

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "reins-test-"));
  await mkdir(join(home, ".codex"));
});
afterEach(() => rm(home, { recursive: true }));

const toml = `
model_provider = "mine" # as it is
# env_key = "NOT_THIS"
[model_providers.mine]
env_key = "MINE_KEY"
[model_providers.other]
env_key = 'OTHER_KEY'
[mcp_servers.web]
bearer_token_env_var = "WEB_TOKEN"
`;

test("passes its own variables and the keys that its settings name", async () => {
  await writeFile(join(home, ".codex", "config.toml"), toml);
  const env = await environmentOf(
    {
      HOME: home,
      PATH: "/bin",
      CODEX_API_KEY: "1",
      OPENAI_API_KEY: "2",
      MINE_KEY: "3",
      NOT_THIS: "4",
      ANTHROPIC_API_KEY: "5",
      CODEX_THREAD_ID: "6",
    },
    { MORE: "7" },
  );
  expect(Object.keys(env).sort()).toEqual(["CODEX_API_KEY", "HOME", "MINE_KEY", "MORE", "OPENAI_API_KEY", "PATH"]);
});

test.for([
  ["--dangerously-bypass-approvals-and-sandbox"],
  ["--yolo"],
  ["--full-auto"],
  ["-s", "danger-full-access"],
  ["--sandbox=danger-full-access"],
  ["-a", "never"],
  ["--listen", "ws://0.0.0.0:1"],
])("refuses %j, which would bypass the decisions of Reins", (extraArgs) => {
  expect(() => serverArguments(extraArgs)).toThrow(
    expect.objectContaining({ code: "invalid_input", message: expect.stringContaining("cannot control") }),
  );
});

test("passes on other arguments", () => {
  expect(serverArguments(["-c", "analytics.enabled=false"])).toEqual(["app-server", "-c", "analytics.enabled=false"]);
});

test.for(modes)("lets Reins answer in mode %s, and turns the sandbox off only in mode full", (mode) => {
  const sandbox = mode === "full" ? "danger-full-access" : "read-only";
  expect(threadSettings(options({ mode }))).toMatchObject({ sandbox, approvalsReviewer: "user" });
  const turn = turnSettings({ mode, model: "m", effort: undefined, planned: false });
  expect(turn).toMatchObject({
    approvalsReviewer: "user",
    sandboxPolicy: mode === "full" ? { type: "dangerFullAccess" } : { type: "readOnly", networkAccess: false },
  });
  expect(turn["approvalPolicy"]).not.toBe("never");
  expect("collaborationMode" in turn).toBe(mode === "plan");
  expect(nativeMode(mode)).toContain(sandbox);
});

test("tells Codex to stop planning after plan mode", () => {
  const turn = turnSettings({ mode: "ask", model: "m", effort: "high", planned: true });
  expect(turn).toMatchObject({
    collaborationMode: { mode: "default", settings: { model: "m", reasoning_effort: "high" } },
  });
});

test("converts options to settings of the thread", () => {
  const given = options({
    model: "gpt-5.5",
    directories: ["/further"],
    mcpServers: {
      files: { command: "files", env: { KEY: "secret" } },
      web: { type: "http", url: "https://x/", headers: { Authorization: "secret" } },
      old: { type: "sse", url: "https://y/" },
    },
  });
  expect(threadSettings({ ...given, systemPrompt: { text: "Be kind.", how: "append" } })).toMatchObject({
    model: "gpt-5.5",
    runtimeWorkspaceRoots: ["/w", "/further"],
    developerInstructions: "Be kind.",
    config: {
      "mcp_servers.files": { command: "files", args: [], env: { KEY: "secret" } },
      "mcp_servers.web": { url: "https://x/", http_headers: { Authorization: "secret" } },
    },
  });
  expect(threadSettings({ ...given, systemPrompt: { text: "Be kind.", how: "replace" } })).toMatchObject({
    baseInstructions: "Be kind.",
  });
  expect(unservedServers(given)).toEqual(["old"]);
});

test("converts a history to items of the model's wire format", () => {
  expect(
    historyItems([
      { role: "person", text: "Hi." },
      { role: "agent", text: "Hello." },
    ]),
  ).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
  ]);
});
