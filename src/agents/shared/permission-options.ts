/** What a person may answer when a call waits, and what each answer means. */
import type { PermissionOption } from "../../events/types.ts";
import type { PermissionAnswer } from "../contract.ts";
import type { Rule } from "./session-rules.ts";

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
    { id: "deny", kind: "reject_once", label: "Deny", scope: "once" },
    { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" },
  ];
}

export const isStop = ({ stop, optionId }: PermissionAnswer): boolean => stop === true || optionId === "stop";
export const isDenial = ({ decision, optionId }: PermissionAnswer): boolean =>
  decision !== "allow" || optionId === "deny" || optionId === "stop";
export const isAlways = ({ always, optionId }: PermissionAnswer): boolean =>
  optionId === "always" || (optionId === undefined && always === true);
