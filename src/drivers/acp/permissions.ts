/** The options of a permission, and the one that an answer means. */
import type { PermissionOption } from "../../events/types.ts";
import type { AcpQuirks } from "./quirks.ts";
import { records, text } from "./read.ts";
import type { AcpAnswer } from "./types.ts";

type Kind = PermissionOption["kind"];

const optionKinds: ReadonlySet<unknown> = new Set<Kind>(["allow_once", "allow_always", "reject_once", "reject_always"]);

/** Those we understand: one that nobody knows the meaning of is not offered. */
export function optionsIn(value: unknown, quirks: AcpQuirks): PermissionOption[] {
  const options = new Map<string, PermissionOption>();
  for (const { optionId, name, kind } of records(value)) {
    const id = text(optionId);
    if (id === undefined || options.has(id) || !optionKinds.has(kind)) continue;
    const scope = quirks.scopes?.[id] ?? (String(kind).endsWith("_once") ? "once" : undefined);
    options.set(id, { id, kind: kind as Kind, label: text(name) ?? id, ...(scope === undefined ? {} : { scope }) });
  }
  return [...options.values()];
}

/** The answer to `session/request_permission`. */
export type PermissionOutcome =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

export const cancelledOutcome: PermissionOutcome = { outcome: "cancelled" };

/**
 * Never more than was meant: what was allowed once does not become an `always`, and what was allowed with another input is not
 * run with its own, because ACP cannot carry the other. Where nothing offered means the answer, the call is called off.
 */
export function outcomeFor(answer: AcpAnswer, options: readonly PermissionOption[]): PermissionOutcome {
  const allowed = answer.decision === "allow" && answer.changedInput === undefined;
  const wanted = allowed ? "allow" : "reject";
  const named = options.find(({ id, kind }) => id === answer.optionId && kind.startsWith(wanted));
  const once = options.find(({ kind }) => kind === `${wanted}_once`);
  const always = options.find(({ kind }) => kind === `${wanted}_always`);
  const chosen = named ?? (answer.always === true ? (always ?? once) : once) ?? (allowed ? undefined : always);
  return chosen === undefined ? cancelledOutcome : { outcome: "selected", optionId: chosen.id };
}
