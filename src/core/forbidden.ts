/** What a call forbids of a session is kept with it: whoever goes on with it later must not be allowed more. */
import type { SessionOptions } from "./api.ts";
import type { Forbidden } from "./log.ts";

/** Undefined where nothing is. */
export function forbiddenBy({ rules = [], tools }: Pick<SessionOptions, "rules" | "tools">): Forbidden | undefined {
  const narrow = rules.filter(({ decision }) => decision !== "allow");
  const disallowed = tools?.disallowed ?? [];
  return narrow.length + disallowed.length === 0 ? undefined : { rules: narrow, tools: disallowed };
}

/** The options with it. It goes first: what the call allows now does not outrank it. */
export function withForbidden(wanted: SessionOptions, forbidden: Forbidden | undefined): SessionOptions {
  if (forbidden === undefined) return wanted;
  const said = new Set((wanted.rules ?? []).map((rule) => JSON.stringify(rule)));
  const rules = [...forbidden.rules.filter((rule) => !said.has(JSON.stringify(rule))), ...(wanted.rules ?? [])];
  const disallowed = [...new Set([...forbidden.tools, ...(wanted.tools?.disallowed ?? [])])];
  return { ...wanted, rules, tools: { ...wanted.tools, disallowed } };
}
