/** What a person may answer when Codex asks, and what each answer means on the wire. */
import type { PermissionOption } from "../../events/types.ts";
import { isRecord, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export interface Offer {
  readonly option: PermissionOption;
  readonly response: Wire;
  /** It ends the turn too. */
  readonly stop?: boolean;
  /** Later edits in the workspace are not asked about. */
  readonly remember?: boolean;
}

const allow = (response: Wire): Offer => ({
  option: { id: "allow", kind: "allow_once", label: "Allow", scope: "once" },
  response,
});

/** After the first its model is told and goes on; the second ends the turn too. */
const denials = (deny: Wire, stop: Wire): Offer[] => [
  { option: { id: "deny", kind: "reject_once", label: "Deny", scope: "once" }, response: deny },
  { option: { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" }, response: stop, stop: true },
];

const decision = (word: unknown): Wire => ({ decision: word });

/** Its own rule, where it proposes one, goes to a file of the person's and holds everywhere; so the session's comes first. */
export function commandOffers(params: Wire): Offer[] {
  const words = texts(params["proposedExecpolicyAmendment"]);
  const rule = words.join(" ");
  const forSession: Offer = {
    option: {
      id: "always-session",
      kind: "allow_always",
      label: "Allow this command again in this session",
      scope: "session",
    },
    response: decision("acceptForSession"),
  };
  const forEver: Offer = {
    option: { id: "always", kind: "allow_always", label: `Always allow ${rule} everywhere`, scope: "user", rule },
    response: decision({ acceptWithExecpolicyAmendment: { execpolicy_amendment: words } }),
  };
  const plain = hostOf(params) === undefined;
  return [
    allow(decision("accept")),
    ...(plain ? [forSession] : []),
    ...(plain && words.length > 0 ? [forEver] : []),
    ...denials(decision("decline"), decision("cancel")),
  ];
}

/** Its own `acceptForSession` holds for the same file only, so Reins itself remembers. */
export function patchOffers(): Offer[] {
  const always: Offer = {
    option: {
      id: "always-session",
      kind: "allow_always",
      label: "Always allow edits in this folder in this session",
      scope: "session",
      rule: "edits",
    },
    response: decision("accept"),
    remember: true,
  };
  return [allow(decision("accept")), always, ...denials(decision("decline"), decision("cancel"))];
}

export function mcpOffers(meta: Wire, tool: string): Offer[] {
  const accept = (persist?: string): Wire => ({
    action: "accept",
    content: {},
    _meta: persist === undefined ? null : { persist },
  });
  const persists = texts(meta["persist"]);
  const session: Offer = {
    option: {
      id: "always-session",
      kind: "allow_always",
      label: `Always allow ${tool} in this session`,
      scope: "session",
      rule: tool,
    },
    response: accept("session"),
  };
  const always: Offer = {
    option: { id: "always", kind: "allow_always", label: `Always allow ${tool} everywhere`, scope: "user", rule: tool },
    response: accept("always"),
  };
  return [
    allow(accept()),
    ...(persists.includes("session") ? [session] : []),
    ...(persists.includes("always") ? [always] : []),
    ...denials({ action: "decline", content: null, _meta: null }, { action: "cancel", content: null, _meta: null }),
  ];
}

/** Further access for the rest of the turn, or of the session. */
export function accessOffers(params: Wire): Offer[] {
  const granted = Object.fromEntries(
    Object.entries(record(params["permissions"])).filter(([, value]) => isRecord(value)),
  );
  const session: Offer = {
    option: { id: "always-session", kind: "allow_always", label: "Allow it in this session", scope: "session" },
    response: { permissions: granted, scope: "session" },
  };
  const none = { permissions: {}, scope: "turn" };
  return [allow({ permissions: granted, scope: "turn" }), session, ...denials(none, none)];
}

export function planOffers(): Offer[] {
  return [
    { option: { id: "allow", kind: "allow_once", label: "Approve the plan", scope: "once" }, response: {} },
    { option: { id: "deny", kind: "reject_once", label: "Do not approve it", scope: "once" }, response: {} },
  ];
}

/** What a command wants to reach, where it is that which is asked about. */
export function hostOf(params: Wire): string | undefined {
  return text(record(params["networkApprovalContext"])["host"]);
}
