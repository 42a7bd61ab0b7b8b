/** What a person may answer when Qwen Code asks for a tool. The wire knows a yes and a no; the rest is made of what else it can. */
import type { ToolKind } from "../../events/tools.ts";
import type { PermissionOption } from "../../events/types.ts";

export interface Offer {
  readonly option: PermissionOption;
  /** Its own mode from then on. */
  readonly nativeMode?: string;
  /** Interrupt the turn too. */
  readonly stop?: boolean;
}

/** `nativeMode`: the mode it is in, where that can be widened for edits. */
export function offersFor(kind: ToolKind, nativeMode: string | undefined): Offer[] {
  const offers: Offer[] = [{ option: { id: "allow", kind: "allow_once", label: "Allow", scope: "once" } }];
  if (kind === "edit" && nativeMode === "default")
    offers.push({
      option: {
        id: "always-edits",
        kind: "allow_always",
        label: "Always allow edits in this session",
        scope: "session",
        rule: "edits",
      },
      nativeMode: "auto-edit",
    });
  offers.push(
    { option: { id: "deny", kind: "reject_once", label: "Deny", scope: "once" } },
    { option: { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" }, stop: true },
  );
  return offers;
}
