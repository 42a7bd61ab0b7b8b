/** What a person may answer when a tool waits. */
import type { PermissionOption } from "../../events/types.ts";
import type { PermissionAnswer } from "../contract.ts";
import type { Rule } from "./rules.ts";

const deny: readonly PermissionOption[] = [
  { id: "deny", kind: "reject_once", label: "Deny", scope: "once" },
  { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" },
];

export function optionsWith({ label }: Rule): PermissionOption[] {
  return [
    { id: "allow", kind: "allow_once", label: "Allow", scope: "once" },
    {
      id: "always",
      kind: "allow_always",
      label: `Always allow ${label} in this session`,
      scope: "session",
      rule: label,
    },
    ...deny,
  ];
}

export function optionsForPlan(): PermissionOption[] {
  return [
    { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" },
    { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" },
    { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" },
  ];
}

export const isStop = ({ stop, optionId }: PermissionAnswer): boolean => stop === true || optionId === "stop";
export const isDenial = ({ decision, optionId }: PermissionAnswer): boolean =>
  decision !== "allow" || optionId === "deny" || optionId === "stop";
export const isAlways = ({ always, optionId }: PermissionAnswer): boolean =>
  optionId === "always" || (optionId === undefined && always === true);
