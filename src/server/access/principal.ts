/** The authenticated caller of a request, and its permissions. */
import { isAbsolute } from "node:path";
import type { SessionOptions } from "../../core/api.ts";
import { namesAgent } from "../../core/config/config.ts";
import { isWithin } from "../../core/permissions/decide.ts";
import type { Mode } from "../../events/modes.ts";
import { isInside } from "../../workspace/real-paths.ts";
import { HttpError } from "../http-error.ts";
import type { Scope, TokenInfo } from "../schemas/settings.ts";

export interface Principal {
  readonly token: TokenInfo;
  /** The folders in which the caller may work; undefined: anywhere. */
  readonly roots: readonly string[] | undefined;
  /** Maps a worktree of a comparison to the repository that it was made from. */
  readonly originOf: (folder: string) => string;
  /** Returns false once the token is no longer valid, because a stream may outlive its token. */
  readonly counts: () => boolean;
}

export function may({ token }: Principal, scope: Scope): boolean {
  return scope === "read" || token.scopes.includes(scope) || token.scopes.includes("admin");
}

export function requireScope(principal: Principal, scope: Scope, what = "This"): void {
  if (may(principal, scope)) return;
  throw new HttpError(403, "permission_denied", `${what} needs a token with the scope ${scope}.`, {
    help: "Create one with the token of `reins serve`: POST /api/tokens.",
  });
}

/** Follows links. */
export function mayWorkIn({ roots, originOf }: Principal, folder: string): boolean {
  return roots === undefined || isInside(originOf(folder), roots, "/");
}

export function requireInside(principal: Principal, path: string, what: string): void {
  if (!isAbsolute(path))
    throw new HttpError(400, "invalid_input", `The ${what} ${path} is not absolute.`, {
      help: "Use the full path, without `~`.",
    });
  if (path.includes("\0")) throw new HttpError(400, "invalid_input", `The ${what} is not a valid path.`);
  // After a link, `..` means another folder to the system than in the text of the path.
  const isPlain = principal.roots === undefined || !path.split("/").includes("..");
  if (isPlain && mayWorkIn(principal, path)) return;
  const message = `The ${what} ${path} is outside the folders that this server works in.`;
  throw new HttpError(403, "permission_denied", message, {
    help: "Start the server with `--root <folder>`, or choose another folder.",
  });
}

export function requireAllowed(principal: Principal, options: SessionOptions): void {
  const { agent, agentFile, handoff, fallback = [], resume, cwd, directories = [] } = options;
  for (const id of [agent, handoff, ...fallback]) if (id !== undefined) requireAgent(principal, id);
  if (resume !== undefined && !/^(ses_[\w-]+|last)$/.test(resume))
    requireScope(principal, "admin", "Resuming from a state");
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

/** Any request to an agent that is a command line starts that command. */
export function requireAgent(principal: Principal, id: string): void {
  if (!namesAgent(id)) requireScope(principal, "admin", "An agent that is a command");
}

type Wider = Pick<SessionOptions, "mode" | "rules" | "tools" | "allowUnenforced">;

/** Options that let calls run without asking need the scope `approve`. */
export function requireNoWider(principal: Principal, wanted: Wider): void {
  const wider = widening(wanted);
  if (wider !== undefined) requireScope(principal, "approve", `${wider[0]!.toUpperCase()}${wider.slice(1)}`);
}

/** The same for prompts in a session with such options, whoever opened it. */
export function requirePromptable(principal: Principal, wanted: Wider): void {
  const wider = widening(wanted);
  if (wider !== undefined) requireScope(principal, "approve", `Continuing a session that has ${wider}`);
}

/** Without `mode` the configured mode applies, which the user may have chosen only for their own use. */
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
