import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Mode } from "../../events/modes.ts";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { withAgentFile, type AgentFile } from "./agent-file.ts";
import { AgentFiles } from "./agent-files.ts";

let root: string;
let clean: () => void;
beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  clean = () => folder[Symbol.dispose]();
  for (const path of ["home/agents", "project/.reins/agents", "project/deep"])
    mkdirSync(join(root, path), { recursive: true });
});
afterEach(() => clean());

const cwd = () => join(root, "project", "deep");
const projects = (name: string) => join(root, "project", ".reins", "agents", `${name}.md`);
const persons = (name: string) => join(root, "home", "agents", `${name}.md`);
const find = (mode?: Mode) => AgentFiles.find(cwd(), { REINS_HOME: join(root, "home") }, mode);
async function get(name: string, mode?: Mode): Promise<AgentFile> {
  const file = await (await find(mode)).get(name);
  if (file === undefined) throw new Error("There is none.");
  return file;
}

const whole = `---
name: Reviewer
description: Looks at changes and says what is wrong
agent: one
model: opus
mode: full
tools:
  allowed: [read]
  disallowed: shell
firstPromptTools:
  disallowed: [web_fetch]
fallback: [two, "acp:./mine"]
color: cyan
context: notes.md
env:
  LEVEL: 3
locale: de
after: npm run build
continue:
  after: failed
---
You review.
`;

test("uses a user's file as it is", async () => {
  writeFileSync(persons("reviewer"), whole);
  expect(await get("reviewer")).toEqual({
    id: "reviewer",
    path: persons("reviewer"),
    whose: "person",
    name: "Reviewer",
    description: "Looks at changes and says what is wrong",
    agent: "one",
    model: "opus",
    mode: "full",
    tools: { allowed: ["read"], disallowed: ["shell"] },
    firstPromptTools: { disallowed: ["web_fetch"] },
    fallback: ["two", "acp:./mine"],
    color: "cyan",
    context: ["notes.md"],
    env: { LEVEL: "3" },
    locale: "de",
    after: "npm run build",
    continue: [{ after: "failed" }],
    prompt: "You review.",
    ignored: [],
  });
});

test("lets a project's file restrict and never widen, and reports ignored settings", async () => {
  writeFileSync(projects("reviewer"), whole);
  const file = await get("reviewer");
  expect(file).toMatchObject({
    whose: "project",
    mode: undefined,
    fallback: ["two"],
    tools: { disallowed: ["shell"] },
    firstPromptTools: { disallowed: ["web_fetch"] },
    ignored: [
      "The project's agent file asks for mode full; only you can allow that.",
      "The project's agent file sets variables; only you can do that.",
      "The project's agent file names a command as a fallback; only you can start one.",
      "The project's agent file allows tools; only you can do that.",
    ],
  });
  expect(file).not.toHaveProperty("env");
  expect(file.tools).not.toHaveProperty("allowed");
  expect(await get("reviewer", "full")).toMatchObject({ mode: "full" });
});

test("prefers the user's file over the project's of the same name, and the list says so", async () => {
  writeFileSync(persons("same"), "---\nmode: read\n---\nMine.");
  writeFileSync(projects("same"), "---\n---\nTheirs.");
  expect(await get("same")).toMatchObject({ prompt: "Mine.", mode: "read" });
  const list = await (await find()).list();
  expect(list).toMatchObject([
    { whose: "person", prompt: "Mine." },
    {
      whose: "project",
      error: { message: `It is not used, because you have an agent file of that name: ${persons("same")}.` },
    },
  ]);
});

test.each([
  ["Just a prompt.", "it has no front matter: it must begin with a line `---`."],
  ["---\nmodle: x\n---", "line 2: there is no key modle; did you mean model."],
  ["---\nname: x\nmode: wild\n---", "line 3: mode must be one of read, plan, ask, edits, full."],
  ["---\ntools: [read]\n---", "line 2: tools must be an object."],
  ["---\ncolor: pinkish\n---", "line 2: color: it must be one of red, green"],
  ["---\nmodel: 5\n---", "line 2: model must be text."],
  ["---\nmode: read\nname:\n---", "line 3: name must be text."],
  ["---\nname: null\n---", "line 2: name must be text."],
  ["---\ndescription: |\n---", "line 2: description must not be empty."],
  ["---\ntools:\n  allowed:\n    read: yes\n---", "line 3: tools.allowed: it must be text, or a list of texts."],
  ["---\nenv:\n  A: 1\n  B: ~\n---", "line 4: env.B: "],
  ["---\nenv:\n  A:\n    B: 1\n---", "line 3: env.A: "],
  ["---\nagent: acp:./evil.sh\n---", "it names a command as its agent; only you can start one"],
  ["---\ncontinue:\n  prompt: Go on\n---", "a rule needs at least one of outcome, text and after"],
  [`---\n---\n${"x".repeat(100_001)}`, "it is larger than 100 kilobytes."],
])("%#: explains why a file is invalid", async (text, why) => {
  writeFileSync(projects("bad"), text);
  writeFileSync(projects("good"), "---\n---\nHello.");
  await expect(get("bad")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(get("bad")).rejects.toThrow(`The agent file ${projects("bad")} cannot be used: `);
  await expect(get("bad")).rejects.toThrow(why);
  expect(await (await find()).list()).toMatchObject([
    { id: "bad", error: {} },
    { id: "good", prompt: "Hello." },
  ]);
});

test("never leaves the folder by name, and reports an invalid name", async () => {
  writeFileSync(join(root, "project", "secret.md"), "---\n---\n");
  writeFileSync(projects("Bad Name"), "---\n---\n");
  const files = await find();
  expect(await files.get("../../secret")).toBeUndefined();
  expect(await files.get("Bad Name")).toBeUndefined();
  expect(await files.list()).toMatchObject([
    { error: { message: expect.stringContaining("its name must be lower-case letters, digits and hyphens") } },
  ]);
});

test("refuses a circular fallback before anything starts", async () => {
  writeFileSync(persons("a"), "---\nfallback: [x, b]\n---\n");
  writeFileSync(persons("b"), "---\nfallback: c\n---\n");
  writeFileSync(persons("c"), "---\nfallback: a\n---\n");
  writeFileSync(persons("self"), "---\nfallback: self\n---\n");
  await expect(get("a")).rejects.toThrow("The fallback goes in a circle: a → b → c → a.");
  await expect(get("self")).rejects.toThrow("The fallback goes in a circle: self → self.");
});

test("checks each fallback once, however many paths lead to it", async () => {
  const layers = Array.from({ length: 24 }, (_, layer) => layer);
  for (const layer of layers)
    for (const side of ["a", "b"])
      writeFileSync(projects(`${side}${layer}`), `---\nfallback: [a${layer + 1}, b${layer + 1}]\n---\n`);
  expect(await get("a0")).toMatchObject({ fallback: ["a1", "b1"] });
  writeFileSync(projects("b24"), "---\nfallback: [a0]\n---\n");
  await expect(get("a0")).rejects.toThrow("The fallback goes in a circle: a0 → a1");
});

test("refuses a symlink to a device and a folder", async () => {
  symlinkSync("/dev/zero", projects("endless"));
  mkdirSync(projects("folder"));
  for (const name of ["endless", "folder"])
    await expect(get(name)).rejects.toThrow("cannot be used: it is not a file.");
});

test("applies the caller's disallowed tools to the first prompt too", async () => {
  writeFileSync(
    projects("one"),
    "---\ntools:\n  disallowed: edit\nfirstPromptTools:\n  disallowed: [web_fetch]\n---\n",
  );
  const wanted = { tools: { disallowed: ["shell"] } };
  const { options } = await withAgentFile(wanted, await get("one"), cwd());
  expect(options.tools).toMatchObject({ disallowed: ["edit", "shell"], first: { disallowed: ["web_fetch", "shell"] } });
  writeFileSync(projects("two"), "---\ntools:\n  disallowed: edit\n---\n");
  const first = await withAgentFile({ tools: { first: { disallowed: ["shell"] } } }, await get("two"), cwd());
  expect(first.options.tools).toMatchObject({ disallowed: ["edit"], first: { disallowed: ["edit", "shell"] } });
});

test("prefers the caller's options over the file and joins both system prompts", async () => {
  writeFileSync(persons("reviewer"), whole);
  writeFileSync(join(cwd(), "notes.md"), "Know this.\n");
  const { options, remarks } = await withAgentFile(
    {
      agent: "reviewer",
      mode: "read",
      env: { LEVEL: "4", MORE: "x" },
      tools: { disallowed: ["edit"] },
      systemPrompt: { text: "Be short.", how: "append" },
    },
    await get("reviewer"),
    cwd(),
  );
  expect(options).toMatchObject({
    agent: "one",
    model: "opus",
    mode: "read",
    locale: "de",
    env: { LEVEL: "4", MORE: "x" },
    tools: { allowed: ["read"], disallowed: ["shell", "edit"], first: { disallowed: ["web_fetch", "edit"] } },
    systemPrompt: { text: "You review.\n\n# notes.md\n\nKnow this.\n\nBe short.", how: "append" },
    after: "npm run build",
  });
  expect(remarks).toEqual([]);
});

test("reports a missing context file and refuses a project's file outside the workspace", async () => {
  writeFileSync(projects("one"), "---\ncontext: [gone.md]\n---\nHi.");
  const { options, remarks } = await withAgentFile({}, await get("one"), cwd());
  expect(remarks).toEqual(["The agent file lists gone.md as context, but the file does not exist."]);
  expect(options.systemPrompt?.text).toBe("Hi.");
  writeFileSync(join(root, "secret"), "key");
  symlinkSync(join(root, "secret"), join(cwd(), "link"));
  for (const name of ["../../secret", join(root, "secret"), "link"]) {
    writeFileSync(projects("two"), `---\ncontext: ["${name}"]\n---\n`);
    await expect(withAgentFile({}, await get("two"), cwd())).rejects.toThrow("which is outside of the workspace");
  }
});
