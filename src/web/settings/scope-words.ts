import type { Scope } from "../../server/schemas/access.ts";

const words: Readonly<Record<Scope, string>> = {
  read: "read",
  prompt: "write prompts",
  approve: "answer permissions",
  admin: "do everything",
};

/** What a token is for, after its name. */
export function scopeWords(scopes: readonly Scope[] = []): string {
  return `may ${scopes.includes("admin") ? words.admin : scopes.map((scope) => words[scope]).join(", ")}`;
}
