import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { furtherRun, launchOf, promptOf, unsaid } from "./launch.ts";
import { isSameRepository, repositoryOfRequest } from "./repository.ts";

const cwd = mkdtempSync(join(tmpdir(), "reins-launch-"));
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const options = (more: Partial<OpenOptions> = {}): OpenOptions => ({ sessionId: "s", cwd, mode: "full", ...more });
const text = { v1: { prompt: { text: "x" } }, v0: { prompt: { text: "x" } } };
const repository = "https://github.com/o/r";

test("sends no field for a missing option", () => {
  const launch = launchOf(text, {
    options: options(),
    mode: "full",
    model: undefined,
    repository: undefined,
    agentId: "bc-1",
  });
  expect(launch.v1).toEqual({ prompt: { text: "x" }, mode: "agent", agentId: "bc-1" });
});

test("sends all options at once", () => {
  const remote = { ref: "main", branch: "main", createPr: true, asApp: false, noReviewer: true, name: "n".repeat(200) };
  const mcpServers = { a: { command: "npx", args: ["-y"] }, b: { type: "http", url: "https://x" } } as const;
  const wanted = {
    options: options({ remote, mcpServers }),
    mode: "plan",
    model: "m",
    repository,
    agentId: "bc-1",
  } as const;
  expect(launchOf(text, wanted).v1).toEqual({
    prompt: { text: "x" },
    mode: "plan",
    model: { id: "m" },
    mcpServers: [
      { name: "a", type: "stdio", command: "npx", args: ["-y"] },
      { name: "b", type: "http", url: "https://x" },
    ],
    repos: [{ url: repository, startingRef: "main" }],
    workOnCurrentBranch: true,
    autoCreatePR: true,
    openAsCursorGithubApp: false,
    skipReviewerRequest: true,
    name: "n".repeat(100),
    agentId: "bc-1",
  });
  expect(launchOf(text, wanted).v0).toEqual({
    prompt: { text: "x" },
    model: "m",
    source: { repository, ref: "main" },
    target: { autoCreatePr: true, openAsCursorGithubApp: false, skipReviewerRequest: true, branchName: "main" },
  });
  expect(furtherRun(text, wanted)).toMatchObject({
    v1: { mode: "plan", model: { id: "m" } },
    v0: { prompt: { text: "x" } },
  });
});

test("sends variables instead of an id", () => {
  const wanted = {
    options: options({ env: { A: "1" } }),
    mode: "full",
    model: undefined,
    repository,
    agentId: "bc-1",
  } as const;
  const { v1, agentId } = launchOf(text, wanted);
  expect([v1["envVars"], v1["agentId"], agentId]).toEqual([{ A: "1" }, undefined, undefined]);
});

test("keeps variables of Reins and Cursor here, and chooses the id", () => {
  const env = { CURSOR_API_KEY: "crsr_x", REINS_CURSOR_CLOUD_WEBHOOK_SECRET: "s", reins_home: "/h", CURSOR_X: "1" };
  const wanted = { options: options({ env }), mode: "full", model: undefined, repository, agentId: "bc-1" } as const;
  const { v1, v0, agentId } = launchOf(text, wanted);
  expect([v1["envVars"], v1["agentId"], agentId]).toEqual([undefined, "bc-1", "bc-1"]);
  expect(JSON.stringify([v1, v0])).not.toMatch(/crsr_x|CURSOR_/);
  for (const version of ["v1", "v0"] as const)
    expect(unsaid(version, wanted)).toEqual([
      "Cursor Cloud does not get CURSOR_API_KEY, REINS_CURSOR_CLOUD_WEBHOOK_SECRET, reins_home, CURSOR_X: for this machine only.",
    ]);
  const more = { ...wanted, options: options({ env: { ...env, GITHUB_TOKEN: "named by the caller" } }) };
  expect(launchOf(text, more).v1["envVars"]).toEqual({ GITHUB_TOKEN: "named by the caller" });
});

test("works on a pull request", () => {
  const remote = { pullRequest: `${repository}/pull/1` };
  const launch = launchOf(text, {
    options: options({ remote }),
    mode: "full",
    model: undefined,
    repository,
    agentId: undefined,
  });
  expect(launch.v1["repos"]).toEqual([{ url: repository, prUrl: `${repository}/pull/1` }]);
  expect(launch.v0["source"]).toEqual({ prUrl: `${repository}/pull/1` });
});

test("reports options that one of the versions cannot express", () => {
  const remote = { ref: "main", branch: "mine" };
  expect(unsaid("v1", { options: options({ remote }), mode: "full" })).toEqual([
    "Cursor Cloud names its branches itself; it does not push to mine.",
  ]);
  expect(
    unsaid("v0", { options: options({ env: { A: "1" }, mcpServers: { a: { command: "x" } } }), mode: "full" }),
  ).toHaveLength(2);
  expect(unsaid("v1", { options: options(), mode: "full" })).toEqual([]);
});

test("sends attachments whole or not at all", async () => {
  writeFileSync(join(cwd, "a.txt"), "hello");
  const image = { kind: "image", mediaType: "image/png", data: pixel } as const;
  const file = (path: string) => ({ kind: "file", path }) as const;
  const prompt = (attachments: readonly (typeof image | ReturnType<typeof file>)[], words = "look") =>
    promptOf({ text: words, attachments }, options(), 10_000_000);
  const { v1, v0 } = await prompt([image, file("a.txt")]);
  expect(v1).toMatchObject({
    prompt: { text: expect.stringContaining("hello") as string, images: [{ mimeType: "image/png" }] },
  });
  expect(v0).toMatchObject({ prompt: { images: [{ data: pixel, dimension: { width: 1, height: 1 } }] } });
  expect((await prompt([image], "")).v1).toMatchObject({ prompt: { text: "Look at this." } });
  writeFileSync(join(cwd, "long.txt"), "x".repeat(300_000));
  writeFileSync(join(cwd, "binary"), "a\0b");
  for (const name of ["long.txt", "binary", "missing"])
    await expect(prompt([file(name)])).rejects.toMatchObject({ code: "invalid_input" });
  await expect(prompt(Array.from({ length: 6 }, () => image))).rejects.toThrow(
    "at most 5 images, and the prompt has 6",
  );
});

test.each([
  ["https://github.com/o/r/pull/7", "https://github.com/o/r"],
  ["https://github.com/o/r/pull/7/files", "https://github.com/o/r"],
  ["https://ada:secret@gitlab.com/o/sub/r/-/merge_requests/7", "https://gitlab.com/o/sub/r"],
  ["https://bitbucket.org/o/r/pull-requests/7", "https://bitbucket.org/o/r"],
  ["https://github.com/o/r", undefined],
  ["7", undefined],
])("finds the repository of the pull request %s: %s", (address, url) => expect(repositoryOfRequest(address)).toBe(url));

test("treats a repository with and without a scheme as the same", () => {
  expect(isSameRepository("github.com/O/r", "https://github.com/o/r.git")).toBe(true);
  expect(isSameRepository("github.com/o/r", "https://github.com/o/other")).toBe(false);
});
