/** The agent's own history on disk matches the conversation, and an imported session can continue. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { collected } from "../../support/past.ts";
import { heldAndKept } from "../support/history.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

test("finds the conversation in the agent's history", async () => {
  const { live, kept } = await heldAndKept("claude", [
    { name: "thinking" },
    { name: "write", arg: "notes.txt" },
    { name: "edit", arg: "notes.txt" },
    { name: "shell", arg: "echo hi" },
    { name: "failing-tool" },
    { name: "two-tools" },
    { name: "long-shell", cancel: true },
    { name: "error-400" },
    { name: "echo", arg: "bye" },
  ]);
  expect(kept).toEqual(live);
});

test("imports a conversation held without a store and continues with the agent", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  await real.turn(first, scenarioPrompt("echo", "remember-me"));
  await real.reins.close();
  const store = openStore({ folder: join(real.home, "kept") });
  onTestFinished(() => store.close());
  const reins = real.another({ store });
  const [brought] = await collected(reins.sessions.import("claude"));
  expect(brought).toMatchObject({ outcome: "added", messages: 2 });
  const session = await real.session({ resume: brought!.session!.id }, reins);
  expect(session.id).toBe(brought!.session!.id);
  const { result } = await real.turn(session, scenarioPrompt("echo", "and-me"));
  expect(result).toMatchObject({ outcome: "done", text: "and-me" });
  expect(asked(real.model).at(-1)!.messages).toContain("remember-me");
  const types = (await collected(reins.sessions.events(session.id))).map((event) => event.type);
  expect(types.filter((type) => type === "turn.completed")).toHaveLength(2);
  expect((await collected(reins.sessions.import("claude"))).map(({ outcome }) => outcome)).toEqual(["known"]);
  await reins.close();
});
