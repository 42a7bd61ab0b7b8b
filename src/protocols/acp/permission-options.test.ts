import { expect, test } from "vitest";
import { optionsIn, outcomeFor } from "./requests.ts";

const option = (optionId: unknown, kind: string, name?: string) => ({ optionId, kind, name });

test("options that are understood are offered, each id once", () => {
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

const all = optionsIn(
  ["allow_once", "allow_always", "reject_once", "reject_always"].map((kind) => option(kind, kind)),
  {},
);
const without = (...ids: string[]) => all.filter(({ id }) => !ids.includes(id));
const allow = { decision: "allow" } as const;
const deny = { decision: "deny" } as const;

test.each([
  [allow, all, "allow_once"],
  [{ ...allow, always: true }, all, "allow_always"],
  [{ ...allow, optionId: "allow_always" }, all, "allow_always"],
  [{ ...allow, optionId: "reject_once" }, all, "allow_once"],
  [{ ...allow, always: true }, without("allow_always"), "allow_once"],
  // Once is not for ever.
  [allow, without("allow_once"), undefined],
  [{ ...allow, changedInput: {} }, all, "reject_once"],
  [deny, all, "reject_once"],
  [{ ...deny, always: true }, all, "reject_always"],
  [deny, without("reject_once"), "reject_always"],
  [deny, without("reject_once", "reject_always"), undefined],
  [{ decision: "defer" }, all, "reject_once"],
] as const)("%j among %j", (answer, options, optionId) => {
  expect(outcomeFor(answer, options)).toEqual(
    optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  );
});
