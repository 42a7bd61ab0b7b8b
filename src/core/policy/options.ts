import type { PermissionOption } from "../../events/types.ts";
import { said } from "./rule.ts";
import type { Rule } from "./rule.ts";

/** The option that is Reins's own: it remembers, and the agent is told that it was allowed this once. */
export const alwaysOption = "reins:always";

/**
 * What a person may answer: the agent's own options, and ours before its `always`. Where rules deny or ask, an agent that no longer asks
 * could no longer be held to them: then there is only ours.
 */
export function optionsWith(
  options: readonly PermissionOption[],
  offer: { readonly rule: Rule; readonly scope: "project" | "session" } | undefined,
  narrows: boolean,
): readonly PermissionOption[] {
  const once = options.findIndex(({ kind }) => kind === "allow_once");
  const left = narrows && once >= 0 ? options.filter(({ kind }) => kind !== "allow_always") : options;
  if (offer === undefined || once < 0) return left;
  const what = said(offer.rule).replace(/^allow /, "");
  const own: PermissionOption = {
    id: alwaysOption,
    kind: "allow_always",
    label: offer.scope === "project" ? `Yes, and always in this folder: ${what}` : `Yes, and in this session: ${what}`,
    scope: offer.scope,
    rule: said(offer.rule),
  };
  return left.toSpliced(left.findIndex(({ kind }) => kind === "allow_once") + 1, 0, own);
}
