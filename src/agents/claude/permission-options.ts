/** What a person may answer when Claude Code asks for a tool, and what each answer means on the wire. */
import type { PermissionOption } from "../../events/types.ts";
import { isRecord, list, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export interface Offer {
  readonly option: PermissionOption;
  /** The rules that go with it, as the agent suggested them. */
  readonly updates?: readonly Wire[];
  readonly stop?: boolean;
}

export function offersFor(request: Wire): Offer[] {
  return [
    { option: { id: "allow", kind: "allow_once", label: "Allow", scope: "once" } },
    ...(request["suppress_always_allow_rule"] === true
      ? []
      : list(request["permission_suggestions"]).flatMap(suggested)),
    { option: { id: "deny", kind: "reject_once", label: "Deny", scope: "once" } },
    { option: { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" }, stop: true },
  ];
}

/** Approving a plan ends planning; the agent then works in its default mode, or with edits allowed. */
export function offersForPlan(): Offer[] {
  return [
    { option: { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" } },
    {
      option: { id: "allow-edits", kind: "allow_always", label: "Approve the plan and allow edits", scope: "session" },
      updates: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    },
    { option: { id: "deny", kind: "reject_once", label: "Keep planning", scope: "once" } },
    { option: { id: "stop", kind: "reject_once", label: "Reject the plan and stop", scope: "once" }, stop: true },
  ];
}

/** A rule that would be written into a file is offered for this session first: the shorter reach is the better default. */
function suggested(suggestion: unknown, index: number): Offer[] {
  if (!isRecord(suggestion)) return [];
  const label = labelOf(suggestion);
  if (label === undefined) return [];
  const offer = (id: string, update: Wire): Offer => {
    const scope = scopeOf(update["destination"]);
    const where = scope === "session" ? "in this session" : scope === "user" ? "in every project" : "in this project";
    return {
      option: { id, kind: "allow_always", label: `Always allow ${label} ${where}`, scope, rule: label },
      updates: [update],
    };
  };
  const own = offer(`always-${index + 1}`, suggestion);
  if (own.option.scope === "session" || suggestion["type"] !== "addRules") return [own];
  return [offer(`always-${index + 1}-session`, { ...suggestion, destination: "session" }), own];
}

function labelOf(suggestion: Wire): string | undefined {
  switch (suggestion["type"]) {
    case "addRules": {
      const rules = list(suggestion["rules"]).map((rule) => ruleOf(record(rule)));
      return suggestion["behavior"] === "allow" && rules.length > 0 ? rules.join(", ") : undefined;
    }
    case "addDirectories": {
      const directories = texts(suggestion["directories"]);
      return directories.length > 0 ? `work in ${directories.join(", ")}` : undefined;
    }
    case "setMode":
      return suggestion["mode"] === "acceptEdits" ? "edits" : undefined;
    default:
      return undefined;
  }
}

function ruleOf(rule: Wire): string {
  const content = text(rule["ruleContent"]);
  const name = text(rule["toolName"]) ?? "";
  return content === undefined ? name : `${name}(${content})`;
}

function scopeOf(destination: unknown): "session" | "project" | "user" {
  switch (destination) {
    case "userSettings":
      return "user";
    case "projectSettings":
    case "localSettings":
      return "project";
    default:
      return "session";
  }
}
