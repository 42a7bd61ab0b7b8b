/** Session options: files, directories, instructions, tools, models; and cancelling. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one, whole } from "../support/events.ts";
import { expectNone } from "../support/left.ts";
import { realAgent } from "../support/real-agent.ts";
import { lastAsked } from "./support/requests.ts";

const png = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

test("keeps an image beside a file, and does not glue a long file to the prompt", async () => {
  const real = await realAgent("gemini");
  writeFileSync(join(real.cwd, "notes.txt"), "The colour is blue.\n");
  writeFileSync(join(real.cwd, "long.txt"), "a line\n".repeat(50_000));
  const session = await real.session();
  const both = [{ kind: "file", path: "notes.txt" } as const, png];
  const seen = await real.turn(session, { text: scenarioPrompt("image"), attachments: both });
  expect(seen.result.text).toBe("I see 1 image(s).");
  expect(lastAsked(real.model).contents).toContain("The colour is blue.");
  const alone = await real.turn(session, { text: scenarioPrompt("text"), attachments: [both[0]!] });
  expect(alone.result.text).toBe("Hello from the scripted model.");
  const long = [{ kind: "file", path: "long.txt" } as const];
  const linked = await real.turn(session, { text: scenarioPrompt("text"), attachments: long });
  expect(linked.result.text).toBe("Hello from the scripted model.");
  expect(lastAsked(real.model).contents).toContain("a line");
});

test("passes on instructions, a directory, tools and a model", async () => {
  const steps = [[{ call: { tool: "list", path: "." } as const }], [{ say: "Done." }]];
  const real = await realAgent("gemini", { scenarios: [{ name: "list-files", steps }] });
  const other = join(real.home, "other folder");
  mkdirSync(other);
  const session = await real.session({
    systemPrompt: { text: "You are terse.", how: "replace" },
    directories: [other],
    tools: { allowed: ["shell(touch *)"], disallowed: ["list"] },
    model: "gemini-2.5-pro",
    onPermission: ({ tool }) => (tool === "write" ? "allow" : "deny"),
  });
  await real.turn(session, scenarioPrompt("shell", "touch a.txt"));
  const asked = lastAsked(real.model);
  expect(asked.system).toContain("You are terse.");
  expect(asked.path).toContain("/gemini-2.5-pro:");
  expect(existsSync(join(real.cwd, "a.txt"))).toBe(true);
  const listed = await real.turn(session, scenarioPrompt("list-files"));
  expect(one(listed.events, "tool.failed")).toMatchObject({ error: { message: expect.stringContaining("denied") } });
  await real.turn(session, scenarioPrompt("write", join(other, "there.txt")));
  expect(existsSync(join(other, "there.txt"))).toBe(true);
  await session.configure({ model: "gemini-9-unheard-of" });
  await real.turn(session, scenarioPrompt("text"));
  expect(lastAsked(real.model).path).toContain("/gemini-9-unheard-of:");
});

test("ends a command on a cancel and reports its call as cancelled, although the program reports it as done", async () => {
  const real = await realAgent("gemini");
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("long-shell"));
  await real.when(session, "tool.started");
  await turn.cancel();
  const { result, events } = await whole(turn);
  expect(result.outcome).toBe("cancelled");
  expect(one(events, "tool.failed")).toMatchObject({ reason: "cancelled" });
  await expectNone(real.home, ({ command }) => command.includes("tail -f"));
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});
