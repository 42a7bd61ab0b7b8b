import type { PermissionOption } from "../../events/types.ts";

/** What a person may answer to a plan. */
export function optionsForPlan(): PermissionOption[] {
  return [
    { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" },
    { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" },
    { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" },
  ];
}
