/** What a client may ask of a session, by its scopes. Whoever may only prompt cannot start programs, nor widen what runs unasked. */
import type { SessionOptions } from "../../core/api.ts";
import { namesAgent } from "../../core/configuration.ts";
import { isWithin } from "../../core/policy/mode.ts";
import type { Mode } from "../../events/modes.ts";
import { may, requireScope } from "./principal.ts";
import type { Principal } from "./principal.ts";
import { requireInside } from "./roots.ts";

export function requireAllowed(principal: Principal, options: SessionOptions): void {
  const { agent, agentFile, handoff, fallback = [], resume, cwd, directories = [] } = options;
  for (const id of [agent, handoff, ...fallback]) if (id !== undefined) requireAgent(principal, id);
  if (resume !== undefined && !/^(ses_[\w-]+|last)$/.test(resume))
    requireScope(principal, "admin", "Going on from a state");
  if (agentFile !== undefined && /[/\\]/.test(agentFile)) requireScope(principal, "admin", "An agent file by its path");
  for (const key of ["env", "extraArgs", "mcpServers", "after", "budget"] as const)
    if (options[key] !== undefined) requireScope(principal, "admin", `\`${key}\``);
  if (options.remote?.webhook !== undefined) requireScope(principal, "admin", "`remote.webhook`");
  requireNoWider(principal, options);
  if (cwd !== undefined) requireInside(principal, cwd, "folder");
  for (const folder of directories) requireInside(principal, folder, "folder");
}

export function isAllowed(principal: Principal, options: SessionOptions): boolean {
  try {
    requireAllowed(principal, options);
    return true;
  } catch {
    return false;
  }
}

/** An agent that is a command line is started by asking anything of it. */
export function requireAgent(principal: Principal, id: string): void {
  if (!namesAgent(id)) requireScope(principal, "admin", "An agent that is a command");
}

type Wider = Pick<SessionOptions, "mode" | "rules" | "tools" | "allowUnenforced">;

/** What would run without anybody being asked is for who may approve. */
export function requireNoWider(principal: Principal, wanted: Wider): void {
  const wider = widening(wanted);
  if (wider !== undefined) requireScope(principal, "approve", `${wider[0]!.toUpperCase()}${wider.slice(1)}`);
}

/** So is whatever is said in a session in which it does, whoever opened that. */
export function requirePromptable(principal: Principal, wanted: Wider): void {
  const wider = widening(wanted);
  if (wider !== undefined) requireScope(principal, "approve", `Going on with a session that has ${wider}`);
}

/** What is not named is as it is configured, and the person may have configured it for themselves. */
export function widestFor(principal: Principal, wanted?: Mode): { readonly widestMode?: Mode | undefined } {
  if (may(principal, "approve")) return { widestMode: wanted };
  return { widestMode: wanted === undefined || !isWithin(wanted, "ask") ? "ask" : wanted };
}

function widening({ mode, rules = [], tools, allowUnenforced }: Wider): string | undefined {
  if (mode !== undefined && !isWithin(mode, "ask")) return `mode ${mode}`;
  if (rules.some(({ decision }) => decision === "allow")) return "a rule that allows something";
  if ((tools?.allowed ?? tools?.first?.allowed) !== undefined) return "`tools.allowed`";
  return allowUnenforced === true ? "`allowUnenforced`" : undefined;
}
