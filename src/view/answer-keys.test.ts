import { describe, expect, test } from "vitest";
import { answerFor, answerPressed, answersTo, editableInput, editedInput, whyItAsks } from "./answer-keys.ts";

const once = { id: "allow", kind: "allow_once", label: "Yes" } as const;
const session = { id: "session", kind: "allow_always", label: "Yes, in this session", scope: "session" } as const;
const project = { id: "project", kind: "allow_always", label: "Yes, in this folder", scope: "project" } as const;
const user = { id: "user", kind: "allow_always", label: "Yes, everywhere", scope: "user" } as const;
const own = { id: "own", kind: "allow_always", label: "Always allow" } as const;
const never = { id: "never", kind: "reject_always", label: "Never" } as const;
const deny = { id: "deny", kind: "reject_once", label: "No" } as const;
const stop = { id: "stop", kind: "reject_once", label: "No, and stop" } as const;

describe("answerFor", () => {
  const options = [user, own, project, never, once, session, deny, stop];
  test.each([
    ["y", "allow"],
    ["s", "session"],
    ["a", "session project user own"],
    ["n", "deny"],
    ["m", ""],
    ["?", ""],
  ])("key %s selects %s", (key, ids) => {
    const answer = answerFor(key, { options }, undefined);
    const chosen =
      answer === undefined || !("option" in answer || "options" in answer)
        ? []
        : "options" in answer
          ? answer.options
          : [answer.option];
    expect(answer?.key).toBe(key);
    expect(chosen.map((option) => option?.id).join(" ")).toBe(ids);
  });

  test("ignores other keys", () => expect(answerFor("x", { options }, undefined)).toBeUndefined());
});

const keysOf = (...given: Parameters<typeof answersTo>): string =>
  answersTo(...given)
    .map(({ key }) => key)
    .join("");

test.each([
  ["plain answers without options", { options: [] }, undefined, "ynm?"],
  ["a reject_always option adds no answer", { options: [once, never] }, undefined, "ynm?"],
  ["one session rule needs no list", { options: [once, session, deny] }, undefined, "ysnm?"],
  ["two session rules need a list", { options: [once, session, { ...session, id: "wide" }] }, undefined, "ysanm?"],
  ["a project rule without a session rule", { options: [once, project] }, undefined, "yanm?"],
  ["edit, when the agent accepts changed input", { options: [] }, { changedInput: true }, "ynme?"],
  [
    "no edit, when this call does not allow it",
    { options: [], inputChangeable: false },
    { changedInput: true },
    "ynm?",
  ],
  ["no words reach the agent", { options: [] }, { changedInput: false, denialMessage: "none" }, "yn?"],
  [
    "words reach it about plans",
    { options: [], tool: "plan" },
    { changedInput: false, denialMessage: "plans" },
    "ynm?",
  ],
  ["but not about a tool", { options: [], tool: "shell" }, { changedInput: false, denialMessage: "plans" }, "yn?"],
  ["edit, when only this call allows it", { options: [], inputChangeable: true }, { changedInput: false }, "ynme?"],
] as const)("answers shown: %s", (_name, request, capabilities, keys) =>
  expect(keysOf(request, capabilities)).toBe(keys),
);

test('never uses a "deny always" option for n', () =>
  expect(answerFor("n", { options: [never] }, undefined)).toMatchObject({ action: "deny", option: undefined }));

describe("answerPressed", () => {
  const pressed = { key: "y", alt: false, ctrl: false, promptEmpty: true };
  test.each([
    ["answers in an empty prompt", {}, "once"],
    ["is text once the prompt has text", { promptEmpty: false }, undefined],
    ["answers with Alt in any prompt", { promptEmpty: false, alt: true }, "once"],
    ["never answers with Ctrl", { ctrl: true }, undefined],
    ["ignores letters that are no answer key", { key: "z" }, undefined],
  ])("%s", (_name, more, action) =>
    expect(answerPressed({ ...pressed, ...more }, { options: [once] }, undefined)?.action).toBe(action),
  );
});

describe("editing the input", () => {
  const shell = { command: "rm -r build", timeout: 5 };
  test("edits a command as plain text and keeps the other fields", () => {
    expect(editableInput(shell)).toBe("rm -r build");
    expect(editedInput(shell, "ls")).toEqual({ input: { command: "ls", timeout: 5 } });
    expect(editedInput(shell, " ")).toEqual({ error: "The command is empty." });
  });
  test("edits any other input as JSON", () => {
    expect(JSON.parse(editableInput({ path: "a" }))).toEqual({ path: "a" });
    expect(editedInput({ path: "a" }, '{"path":"b"}')).toEqual({ input: { path: "b" } });
    expect(editedInput({ path: "a" }, "[1]")).toEqual({ error: "The input must be a JSON object." });
    expect(editedInput({ path: "a" }, "{")).toHaveProperty("error", expect.stringMatching(/^This is not valid JSON/));
    expect(editableInput(undefined)).toBe("{}");
  });
});

test("explains a request with the agent's reason, else with the rules of the session", () => {
  expect(whyItAsks({ tool: "shell", reason: "It is outside." })).toBe("It is outside.");
  expect(whyItAsks({ tool: "web_fetch" })).toContain("“web fetch”");
  expect(whyItAsks({ tool: "mcp", mcp: { server: "github", tool: "create_issue" } })).toContain("MCP server github");
  expect(whyItAsks({ tool: "plan", reason: " " })).toContain("plan");
});
