import { expect, test } from "vitest";
import { translatorOf } from "../../../test/fixtures/acp/replay.ts";
import { unconnected } from "../../../test/translate/acp-wire.ts";
import { AcpRequests, optionsIn } from "./requests.ts";

const option = (optionId: unknown, kind: string, name?: string) => ({ optionId, kind, name });

test("offers the options it understands, each id once", () => {
  const given = [
    option("a", "allow_once", "Yes"),
    option("a", "reject_once", "No"),
    option("p", "allow_always"),
    option("?", "perhaps"),
    option(7, "allow_once"),
    null,
  ];
  expect(optionsIn(given, { scopes: { p: "project" } })).toEqual([
    { id: "a", kind: "allow_once", label: "Yes", scope: "once" },
    { id: "p", kind: "allow_always", label: "p", scope: "project" },
  ]);
  expect(optionsIn("none", {})).toEqual([]);
});

const all = ["allow_once", "allow_always", "reject_once", "reject_always"];
const without = (...ids: string[]) => all.filter((id) => !ids.includes(id));
const allow = { decision: "allow" } as const;
const deny = { decision: "deny" } as const;

test.each([
  [allow, all, "allow_once"],
  [{ ...allow, always: true }, all, "allow_always"],
  [{ ...allow, optionId: "allow_always" }, all, "allow_always"],
  [{ ...allow, always: true }, without("allow_always"), "allow_once"],
  // An option that rejects, or that was not offered, never allows.
  [{ ...allow, optionId: "reject_once" }, all, "reject_once"],
  [{ ...allow, optionId: "other" }, all, "reject_once"],
  // An allow once must not become an allow always.
  [allow, without("allow_once"), "reject_once"],
  [allow, ["allow_always"], undefined],
  [{ ...allow, changedInput: {} }, all, "reject_once"],
  [deny, all, "reject_once"],
  [{ ...deny, always: true }, all, "reject_always"],
  [{ ...deny, optionId: "allow_once" }, all, "reject_once"],
  [{ ...deny, cancelled: true }, all, undefined],
  [deny, without("reject_once"), "reject_always"],
  [deny, without("reject_once", "reject_always"), undefined],
  [{ decision: "defer" }, all, "reject_once"],
] as const)("answers %j among %j", (answer, options, optionId) => {
  const responses: unknown[] = [];
  const rpc = { ...unconnected, respond: (_id: string, result: unknown) => responses.push(result) > 0 };
  const translator = translatorOf();
  translator.prompted();
  const requests = new AcpRequests({ name: "Recorded", rpc, translator, cwd: "/w", quirks: {} });
  const params = { toolCall: { toolCallId: "c" }, options: options.map((id) => option(id, id)) };
  requests.received({ id: "r", method: "session/request_permission", params, message: {} }, []);
  requests.answer("r", answer);
  requests.answer("r", answer);
  const outcome = optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
  expect(responses).toEqual([{ outcome }]);
});
