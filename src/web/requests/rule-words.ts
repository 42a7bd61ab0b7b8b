/** The answers that a permission offers, sorted by what they mean. Pure. */
import type { PermissionItem } from "../../view/model.ts";

type Option = PermissionItem["options"][number];

export interface Choices {
  readonly once: Option | undefined;
  /** There may be several: for the session, for the project. */
  readonly always: readonly Option[];
  readonly deny: Option | undefined;
}

export function choicesOf(options: readonly Option[]): Choices {
  return {
    once: options.find(({ kind }) => kind === "allow_once"),
    always: options.filter(({ kind }) => kind === "allow_always"),
    deny: options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always"),
  };
}

const reach = {
  once: "this once",
  session: "for this session",
  project: "in this folder",
  user: "everywhere",
} as const;

/** What its button says: how far it reaches, where that is known. */
export function alwaysLabel({ label, scope }: Option): string {
  return scope === undefined || scope === "once" ? label : `Always ${reach[scope]}`;
}

/** What it would add. */
export function ruleWords({ label, rule }: Option): string {
  return rule === undefined ? label : `adds the rule “${rule}”`;
}
