import { expect, test } from "vitest";
import { extensionText, holdTools, type ExtensionApi, type HoldReply } from "./hold-extension.ts";

type Handler = (event: unknown, context: unknown) => unknown;

/** The part of pi that an extension sees. */
function pi(active: string[], said: (title: string, placeholder: string) => string | undefined) {
  const handlers = new Map<string, Handler>();
  const told: string[] = [];
  const api = {
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    getActiveTools: () => active,
    setActiveTools: (names: string[]) => void (active = names),
  } as unknown as ExtensionApi;
  const ui = {
    notify: (message: string) => void told.push(message),
    input: (title: string, placeholder: string) => Promise.resolve(said(title, placeholder)),
  };
  const call = (input: object) => handlers.get("tool_call")!({ toolName: "write", toolCallId: "c", input }, { ui });
  return { api, told, call, start: () => handlers.get("session_start")!({}, { ui }) };
}

const answering = (reply: HoldReply | string | undefined) => {
  const asked: unknown[] = [];
  const one = pi([], (title, placeholder) => {
    asked.push([title, JSON.parse(placeholder)]);
    return typeof reply === "object" ? JSON.stringify(reply) : reply;
  });
  holdTools(one.api, { title: "s", tools: [] });
  return { ...one, asked };
};

test("reports that it is loaded, and switches tools on", () => {
  const { api, told, start } = pi(["read"], () => undefined);
  holdTools(api, { title: "s", tools: ["read", "grep"] });
  start();
  expect(told).toEqual([JSON.stringify({ title: "s", tools: ["read", "grep"] })]);
});

test("asks about every call and runs it only when allowed", async () => {
  const { call, asked } = answering({ decision: "allow" });
  expect(await call({ path: "x" })).toBeUndefined();
  expect(asked).toEqual([["s", { toolName: "write", toolCallId: "c", input: { path: "x" } }]]);
  expect(await answering({ decision: "deny", reason: "No." }).call({})).toEqual({ block: true, reason: "No." });
  expect(await answering(undefined).call({})).toMatchObject({ block: true });
  // An exception blocks the call.
  await expect(answering("null").call({})).rejects.toThrow(TypeError);
  await expect(answering("not json").call({})).rejects.toThrow(SyntaxError);
});

test("runs with a changed input, and lets nobody change what was decided on", async () => {
  const input = { path: "x", deep: { a: 1 } };
  await answering({ decision: "allow", input: { path: "y", deep: { a: 2 } }, fixed: true }).call(input);
  expect(input).toEqual({ path: "y", deep: { a: 2 } });
  expect(() => (input.path = "z")).toThrow(TypeError);
  expect(() => (input.deep.a = 3)).toThrow(TypeError);
  const free = { path: "x" };
  await answering({ decision: "allow" }).call(free);
  free.path = "z";
});

test("is a self-contained extension", async () => {
  const text = extensionText({ title: "the-title", tools: [] });
  const loaded = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: (api: ExtensionApi) => void;
  };
  const { api, told, start, call } = pi(["read"], () => JSON.stringify({ decision: "deny" }));
  loaded.default(api);
  start();
  expect(told[0]).toContain("the-title");
  expect(await call({})).toMatchObject({ block: true });
});
