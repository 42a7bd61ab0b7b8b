/** What a client may ask of a session, by its scopes. Whoever may only prompt cannot start programs, nor widen what runs unasked. */
import { namesAgent } from "../../core/configuration.ts";
import type { SessionOptionsBody } from "../schemas/session-options.ts";
import { requireScope } from "./principal.ts";
import type { Principal } from "./principal.ts";
import { requireInside } from "./roots.ts";

export function requireAllowed(principal: Principal, options: SessionOptionsBody): void {
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

/** An agent that is a command line is started by asking anything of it. */
export function requireAgent(principal: Principal, id: string): void {
  if (!namesAgent(id)) requireScope(principal, "admin", "An agent that is a command");
}

/** What would run without anybody being asked is for who may approve. */
export function requireNoWider(
  principal: Principal,
  {
    mode,
    rules = [],
    tools,
    allowUnenforced,
  }: Pick<SessionOptionsBody, "mode" | "rules" | "tools" | "allowUnenforced">,
): void {
  if (mode === "edits" || mode === "full") requireScope(principal, "approve", `Mode ${mode}`);
  if (rules.some(({ decision }) => decision === "allow"))
    requireScope(principal, "approve", "A rule that allows something");
  if ((tools?.allowed ?? tools?.first?.allowed) !== undefined) requireScope(principal, "approve", "`tools.allowed`");
  if (allowUnenforced === true) requireScope(principal, "approve", "`allowUnenforced`");
}
