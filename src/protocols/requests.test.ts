import { expect, test } from "vitest";
import type { AgentEvent, PermissionOption } from "../events/types.ts";
import {
  AgentRequests,
  type FinalAnswer,
  type GivenAnswer,
  type NativeOption,
  type ParsedRequest,
  type RequestDetails,
} from "./requests.ts";

const option = (id: string, kind: PermissionOption["kind"], stop?: true): NativeOption => ({
  option: { id, kind, label: id },
  choice: `native ${id}`,
  stop,
});
const call = { callId: "c", tool: "shell", nativeName: "Bash", title: "Run ls", input: { command: "ls" } } as const;
const options = [
  option("yes", "allow_once"),
  option("yes-always", "allow_always"),
  option("no", "reject_once"),
  option("no-stop", "reject_once", true),
  option("never", "reject_always"),
];
const hold: ParsedRequest = { id: "r", kind: "hold", call };
const permission: ParsedRequest = { id: "r", kind: "permission", call, options };
const question: ParsedRequest = { id: "r", kind: "question", questions: [], call: { callId: "c" } };

function openRequests(details?: () => Promise<RequestDetails>) {
  const replies: [string, FinalAnswer][] = [];
  const refused: unknown[] = [];
  const said: AgentEvent[] = [];
  const requests = new AgentRequests<ParsedRequest | string>({
    name: "Agent",
    parse: (native) => (typeof native === "string" ? undefined : native),
    refuse: (native) => {
      refused.push(native);
      return typeof native === "string" ? native : native.id;
    },
    reply: ({ id }, answer) => void replies.push([id, answer]),
    details,
    say: (events) => void said.push(...events),
  });
  return { requests, replies, refused, said };
}

function replyTo(request: ParsedRequest, given: GivenAnswer): FinalAnswer {
  const { requests, replies } = openRequests();
  requests.received(request);
  expect(requests.answer("r", given)).toBe(true);
  expect(replies).toHaveLength(1);
  return replies[0]![1];
}

test("asks each request once and answers it once", () => {
  const { requests, replies } = openRequests();
  expect(requests.received(hold)).toEqual([{ type: "tool.held", requestId: "r", ...call }]);
  expect(requests.received(hold)).toEqual([]);
  expect(requests.answer("r", { decision: "allow" })).toBe(true);
  expect(requests.answer("r", { decision: "deny" })).toBe(false);
  requests.turnEnded();
  expect(replies).toEqual([["r", { decision: "allow" }]]);
});

test("refuses an unsupported request with one notice", () => {
  const { requests, refused } = openRequests();
  const message = "Agent asked for something, which Reins does not support.";
  expect(requests.received("something")).toEqual([{ type: "notice", level: "warning", code: "divergence", message }]);
  expect(refused).toEqual(["something"]);
});

test.for<[GivenAnswer, string | undefined]>([
  [{ decision: "allow" }, "yes"],
  [{ decision: "allow", optionId: "yes" }, "yes"],
  [{ decision: "allow", optionId: "yes-always" }, "yes-always"],
  [{ decision: "allow", always: true }, "yes-always"],
  [{ decision: "allow", optionId: "yes", always: true }, "yes"],
  // An option that was not offered, or that rejects, allows nothing.
  [{ decision: "allow", optionId: "other" }, undefined],
  [{ decision: "allow", optionId: "no" }, undefined],
  [{ decision: "ask" }, undefined],
  [{ decision: "defer" }, undefined],
  [{ decision: "answer" }, undefined],
  [{ decision: "deny", optionId: "yes" }, undefined],
  [{ decision: "allow", changedInput: "ls" }, undefined],
])("a permission answered %o allows %s", ([given, chosen]) => {
  const answer = replyTo(permission, given);
  expect(answer.decision).toBe(chosen === undefined ? "deny" : "allow");
  if (answer.decision === "allow") expect(answer.option?.choice).toBe(`native ${chosen}`);
});

test.for<[GivenAnswer, string, boolean]>([
  [{ decision: "deny" }, "no", false],
  [{ decision: "deny", always: true }, "never", false],
  [{ decision: "deny", optionId: "never" }, "never", false],
  [{ decision: "deny", optionId: "yes-always" }, "no", false],
  [{ decision: "deny", optionId: "no-stop" }, "no-stop", true],
  [{ decision: "deny", stop: true }, "no-stop", true],
  [{ decision: "deny", stop: true, optionId: "no" }, "no-stop", true],
  [{ decision: "allow", always: true, changedInput: [] }, "no", false],
])("a permission answered %o is denied by %s", ([given, id, stop]) => {
  expect(replyTo(permission, given)).toMatchObject({ decision: "deny", option: { option: { id } }, stop });
});

test("does not turn an allow once into an allow always", () => {
  const always = { ...permission, options: [option("yes-always", "allow_always")] };
  expect(replyTo(always, { decision: "allow" })).toMatchObject({ decision: "deny", option: undefined });
  const once = { ...permission, options: [option("yes", "allow_once")] };
  expect(replyTo(once, { decision: "allow", always: true })).toMatchObject({ option: once.options[0] });
});

test("passes a changed input on when the wire can carry it", () => {
  const given = { decision: "allow", changedInput: { command: "pwd" } } as const;
  expect(replyTo(permission, given)).toMatchObject({ decision: "allow", input: { command: "pwd" } });
  expect(replyTo(hold, given)).toMatchObject({ decision: "allow", input: { command: "pwd" } });
  expect(replyTo({ ...permission, inputChangeable: false }, given)).toMatchObject({ decision: "deny" });
});

test.for<[GivenAnswer, FinalAnswer]>([
  [
    { decision: "allow", unasked: true },
    { decision: "allow", unasked: true },
  ],
  [
    { decision: "allow", optionId: "always" },
    { decision: "allow", optionId: "always" },
  ],
  [
    { decision: "allow", optionId: "deny" },
    { decision: "deny", stop: false },
  ],
  [
    { decision: "deny", message: "No." },
    { decision: "deny", message: "No.", stop: false },
  ],
  [
    { decision: "deny", optionId: "stop" },
    { decision: "deny", stop: true },
  ],
  [
    { decision: "ask", message: "Why" },
    { decision: "ask", message: "Why" },
  ],
  [{ decision: "defer" }, { decision: "defer" }],
  [{ decision: "answer" }, { decision: "deny", stop: false }],
  [
    { decision: "deny", cancelled: true },
    { decision: "cancel", message: "The turn was cancelled." },
  ],
])("a hold answered %o", ([given, final]) => {
  expect(replyTo(hold, given)).toEqual(final);
});

test.for<[GivenAnswer, FinalAnswer]>([
  [
    { decision: "answer", answers: { a: "b" } },
    { decision: "answer", answers: { a: "b" } },
  ],
  [{ decision: "answer" }, { decision: "answer", answers: {} }],
  [
    { decision: "skip", message: "No." },
    { decision: "skip", message: "No." },
  ],
  [{ decision: "allow" }, { decision: "skip" }],
  [
    { decision: "skip", cancelled: true, message: "Over." },
    { decision: "cancel", message: "Over." },
  ],
])("a question answered %o", ([given, final]) => {
  expect(replyTo(question, given)).toEqual(final);
});

test("resolves a withdrawn request and ignores a later answer", () => {
  const { requests, replies } = openRequests();
  const resolved = (request: ParsedRequest, by?: "deadline"): AgentEvent[] => {
    requests.received(request);
    return requests.withdrawn("r", by);
  };
  expect(resolved(hold)).toEqual([]);
  const gone = { requestId: "r", outcome: "cancelled", by: "agent" };
  expect(resolved(permission)).toEqual([{ type: "permission.resolved", ...gone }]);
  expect(resolved(question)).toEqual([{ type: "question.resolved", ...gone }]);
  expect(resolved(permission, "deadline")).toMatchObject([{ outcome: "denied", by: "deadline" }]);
  expect(resolved(question, "deadline")).toMatchObject([{ outcome: "cancelled", by: "deadline" }]);
  expect(requests.withdrawn("r")).toEqual([]);
  expect(requests.answer("r", { decision: "allow" })).toBe(false);
  expect(replies).toEqual([]);
});

test("drops the pending requests of a call that ended", () => {
  const { requests, replies } = openRequests();
  requests.received(permission);
  requests.received({ ...question, id: "q" });
  requests.received({ ...permission, id: "other", call: { ...call, callId: "d" } });
  expect(requests.callEnded("c").map(({ type }) => type)).toEqual(["permission.resolved", "question.resolved"]);
  requests.turnEnded();
  expect(replies).toEqual([["other", { decision: "cancel", message: "The turn is over." }]]);
});

test("keeps a request whose call was only guessed when that call ends", () => {
  const { requests, replies } = openRequests();
  requests.received({ ...permission, callGuessed: true });
  expect(requests.callEnded("c")).toEqual([]);
  expect(requests.answer("r", { decision: "allow" })).toBe(true);
  expect(replies).toMatchObject([["r", { decision: "allow" }]]);
});

test("answers all pending requests on cancel", () => {
  const { requests, replies } = openRequests();
  requests.received(hold);
  requests.received({ ...permission, id: "p" });
  requests.cancelAll();
  const cancel = { decision: "cancel", message: "The turn was cancelled." };
  expect(replies).toEqual([
    ["r", cancel],
    ["p", cancel],
  ]);
});

test("asks a permission once its details are known, unless it was withdrawn", async () => {
  const { requests, replies, said } = openRequests(() => Promise.resolve({ input: { plan: "# A" } }));
  expect(requests.received(permission)).toEqual([]);
  requests.received({ ...permission, id: "gone" });
  requests.withdrawn("gone");
  await Promise.resolve();
  expect(said).toMatchObject([{ type: "permission.requested", requestId: "r", input: { plan: "# A" } }]);
  requests.answer("r", { decision: "allow" });
  expect(replies).toHaveLength(1);
});

test("asks for permission without the details when they cannot be read", async () => {
  const { requests, said } = openRequests(() => Promise.reject(new Error("No such file.")));
  expect(requests.received(permission)).toEqual([]);
  await Promise.resolve();
  expect(said).toMatchObject([{ type: "permission.requested", requestId: "r" }]);
});
