/** Agents that behave differently at the start of a session than they announce. */
import { expect, test } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { openAcp, type AcpOptions } from "./index.ts";

type Answers = Readonly<Record<string, object>>;

/** A fake agent. Answers each method from `answers`, and any other method with "Method not found". */
class Peer extends StandInChild {
  answers: Answers;

  constructor(answers: Answers) {
    super();
    this.answers = answers;
  }

  override write(text: string): Promise<void> {
    void super.write(text);
    const { id, method = "" } = JSON.parse(text) as { id?: number; method?: string };
    const answer = this.answers[method] ?? { error: { code: -32601, message: "Method not found" } };
    if (id !== undefined) this.print({ id, ...answer });
    return Promise.resolve();
  }

  get asked(): unknown[] {
    return this.received.map(({ method }) => method);
  }
}

const hello = (agentCapabilities: object) => ({ result: { protocolVersion: 1, agentCapabilities } });

const open = (child: Peer, more: Partial<AcpOptions>) =>
  openAcp({
    ...{ child, name: "Some", agent: "some", quirks: {}, failures: plainFailures(), cwd: "/w", mode: "ask" },
    ...{ deadlines: defaultDeadlines, limits: defaultLimits, ...more },
  });

const both = hello({ loadSession: true, sessionCapabilities: { resume: {} } });

test("falls back to session/load when the agent announces session/resume but does not implement it", async () => {
  const child = new Peer({ initialize: both, "session/load": { result: {} } });
  const session = await open(child, { resume: "s" });
  expect(child.asked).toEqual(["initialize", "session/resume", "session/load"]);
  await session.close();
  const lost = new Peer({
    initialize: both,
    "session/resume": { error: { code: -32602, message: "Session not found" } },
  });
  await expect(open(lost, { resume: "s" })).rejects.toMatchObject({ code: "session_not_found" });
  expect(lost.asked).not.toContain("session/load");
  const neither = new Peer({ initialize: both });
  await expect(open(neither, { resume: "s" })).rejects.toMatchObject({ code: "session_not_found" });
});

test("recognises a missing sign-in from the error text alone", async () => {
  const refused = { error: { code: -32603, message: "Authentication required" } };
  const child = new Peer({ initialize: hello({}), "session/new": refused, authenticate: { result: {} } });
  const opening = open(child, { quirks: { authMethod: () => Promise.resolve("key") } });
  await expect(opening).rejects.toMatchObject({ code: "not_authenticated" });
  expect(child.asked).toEqual(["initialize", "session/new", "authenticate", "session/new"]);
});

test("finds a model in the agent's own spelling, also in the longer list, and skips the current one", async () => {
  const listed = [{ modelId: "a[]" }, { modelId: "b[]" }];
  const begun = { result: { sessionId: "s", models: { currentModelId: "a[]", availableModels: listed } } };
  const child = new Peer({
    initialize: hello({}),
    "session/new": begun,
    "session/set_model": { result: {} },
    "more/models": { result: { names: ["c[]"] } },
  });
  const quirks: AcpOptions["quirks"] = {
    model: (wanted, choices) => choices.find(({ id }) => id === `${wanted}[]`)?.id,
    listModels: {
      method: "more/models",
      read: ({ names }) => (names === undefined ? [] : (names as string[]).map((id) => ({ id, label: id }))),
    },
  };
  const session = await open(child, { quirks, model: "a" });
  void (async () => {
    for await (const _ of session.events);
  })();
  await session.configure({ model: "b" });
  await session.configure({ model: "c" });
  expect(
    child.received.flatMap(({ method, params }) => (method === "session/set_model" ? [params] : [])),
  ).toMatchObject([{ modelId: "b[]" }, { modelId: "c[]" }]);
  child.answers = { ...child.answers, "more/models": { error: { code: -32601, message: "Method not found" } } };
  await expect(session.configure({ model: "d" })).rejects.toMatchObject({ code: "model_unknown" });
  await session.close();
});

test("finds a model by its label when the agent lists its models twice", async () => {
  const begun = {
    sessionId: "s",
    models: { currentModelId: "a", availableModels: [{ modelId: "a" }, { modelId: "b", name: "Big" }] },
    configOptions: [
      {
        ...{ id: "model", category: "model", type: "select", currentValue: "a" },
        options: [{ value: "a" }, { value: "b", name: "Big" }],
      },
    ],
  };
  const child = new Peer({
    initialize: hello({}),
    "session/new": { result: begun },
    "session/set_config_option": { result: {} },
  });
  const session = await open(child, { model: "big" });
  expect(child.received.at(-1)).toMatchObject({ params: { configId: "model", value: "b" } });
  await session.close();
});
