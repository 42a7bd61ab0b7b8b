/** The options of a call that waits, and the meaning of an answer. */
import type { PermissionOption } from "../../events/types.ts";
import type { HoldAnswer } from "../contract.ts";

/** `label` says what "always" would allow. */
export function optionsWith({ label }: { readonly label: string }): PermissionOption[] {
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

type Given = Pick<HoldAnswer, "decision" | "stop" | "optionId" | "always">;

export const isStop = ({ stop, optionId }: Given): boolean => stop === true || optionId === "stop";
export const isDenial = ({ decision, optionId }: Given): boolean =>
  decision !== "allow" || optionId === "deny" || optionId === "stop";
export const isAlways = ({ always, optionId }: Given): boolean =>
  optionId === "always" || (optionId === undefined && always === true);
