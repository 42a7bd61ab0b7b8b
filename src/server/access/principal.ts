/** Who asks, and what they may. */
import { HttpError } from "../http-error.ts";
import type { Scope, TokenInfo } from "../schemas/access.ts";

export interface Principal {
  readonly token: TokenInfo;
  /** Where they may work, links resolved by who looks; none: anywhere. */
  readonly roots: readonly string[] | undefined;
  /** The folder that one stands for: a worktree of ours for the repository it is of. */
  readonly originOf: (folder: string) => string;
  /** Whether the token still does: one that reads for days may expire, or be taken away. */
  readonly counts: () => boolean;
}

export function may({ token }: Principal, scope: Scope): boolean {
  return scope === "read" || token.scopes.includes(scope) || token.scopes.includes("admin");
}

export function requireScope(principal: Principal, scope: Scope, what = "This"): void {
  if (may(principal, scope)) return;
  throw new HttpError(403, "permission_denied", `${what} needs a token with the scope ${scope}.`, {
    help: "Make one with `reins serve`'s own token: POST /api/tokens.",
  });
}
