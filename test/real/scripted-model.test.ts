/** The scripted model with real programs and without Reins: the program does what the scenario says. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { proofOf, scenarioPrompt, startScriptedModel, type LoggedRequest } from "../../src/testing/index.ts";
import { programOf } from "./support/program.ts";
import { createWorkspace, type Workspace } from "./support/workspace.ts";

const run = promisify(execFile);
const proof = await proofOf("claude");

interface ModelAnswer {
  readonly text: string;
  readonly failed: boolean;
  readonly requests: readonly LoggedRequest[];
}

/** Sends one prompt to `claude -p`, which answers with one JSON object in case of failure too. */
async function ask(workspace: Workspace, prompt: string): Promise<ModelAnswer> {
  await using model = await startScriptedModel({ proof, cwd: workspace.cwd });
  const env = { ...workspace.env, ...proof.env(model.url), CLAUDE_CODE_MAX_RETRIES: "1" };
  const args = ["-p", "--output-format", "json", "--permission-mode", "acceptEdits", prompt];
  const running = run(programOf(proof), args, { cwd: workspace.cwd, env });
  running.child.stdin?.end();
  const { stdout } = await running.catch((failed: unknown) => failed as { stdout: string });
  const { result, is_error: failed } = JSON.parse(stdout) as { result: string; is_error: boolean };
  return { text: result, failed, requests: [...model.requests] };
}

describe("claude -p", () => {
  test("prints the model's text and sends no other request", async () => {
    using workspace = createWorkspace();
    const { text, requests } = await ask(workspace, scenarioPrompt("unicode"));
    expect(text).toContain("line\u2028separator");
    expect(requests).toMatchObject([{ kind: "answer", scenario: "unicode", step: 0, status: 200, ended: "answered" }]);
  });

  test("performs the model's tool calls", async () => {
    using workspace = createWorkspace();
    await ask(workspace, scenarioPrompt("two-tools"));
    expect(readFileSync(join(workspace.cwd, "two.txt"), "utf8")).toBe("two\n");
    writeFileSync(join(workspace.cwd, "hello.txt"), "hello there\n");
    const { requests } = await ask(workspace, scenarioPrompt("edit"));
    expect(readFileSync(join(workspace.cwd, "hello.txt"), "utf8")).toBe("goodbye there\n");
    expect(requests.map((request) => request.step)).toEqual([0, 1, 2]);
  });

  test("runs subagents with their own scenarios", async () => {
    using workspace = createWorkspace();
    const { text, requests } = await ask(workspace, scenarioPrompt("subagent"));
    expect(text).toContain("Hello from the scripted model.");
    expect(requests.map((request) => request.scenario)).toEqual(["subagent", "text", "subagent"]);
  });

  test.each([
    ["error-403", [403]],
    ["credit", [400]],
    ["quota", [429]],
    ["error-500", [500, 500]],
  ])("fails as the service fails: %s", async (name, statuses) => {
    using workspace = createWorkspace();
    const { failed, requests } = await ask(workspace, scenarioPrompt(name));
    expect(failed).toBe(true);
    expect(requests.map((request) => request.status)).toEqual(statuses);
  });

  test.each([
    ["error-500-once", "It worked in the end."],
    ["cut-once", "A whole answer."],
    ["mid-error-once", "A whole answer."],
  ])("recovers as the service recovers: %s", async (name, answer) => {
    using workspace = createWorkspace();
    const { text, failed, requests } = await ask(workspace, scenarioPrompt(name));
    expect({ text, failed }).toEqual({ text: answer, failed: false });
    expect(requests.map((request) => request.attempt)).toEqual([1, 2]);
  });
});
