/** Tokens and their scopes. Only hashes are stored, except of the user's own token, which the user can read. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpError } from "../http-error.ts";
import { readJson, writePrivate } from "../../process/private-file.ts";
import type { NewToken, NewTokenBody, TokenInfo } from "../schemas/settings.ts";

interface KeptToken extends TokenInfo {
  readonly hash: string;
}

export interface Tokens {
  readonly own: string;
  /** Returns undefined for an unknown token. */
  check(token: string): TokenInfo | "expired" | undefined;
  list(): readonly TokenInfo[];
  create(wanted: NewTokenBody): NewToken;
  remove(id: string): TokenInfo;
  /** Called when a token is removed. Returns a function that unsubscribes. */
  onRemoved(listener: () => void): () => void;
}

const day = 24 * 60 * 60 * 1000;

/** Stores tokens in private files of this folder; without a folder, in memory. */
export function openTokens(folder?: string, now: () => number = Date.now): Tokens {
  const path = folder === undefined ? undefined : join(folder, "tokens.json");
  const own = folder === undefined ? newToken() : ownToken(folder);
  const createdAt = new Date(now()).toISOString();
  const ownInfo: TokenInfo = { id: "own", name: "own token", scopes: ["admin"], createdAt };
  const listeners = new Set<() => void>();
  let kept: readonly KeptToken[] = path === undefined ? [] : readTokens(path);
  const keep = (tokens: readonly KeptToken[]): void => {
    kept = tokens;
    if (path !== undefined) writePrivate(path, `${JSON.stringify(tokens, undefined, 2)}\n`);
  };
  const known = new Map<string, TokenInfo>([[hashOf(own), ownInfo]]);
  return {
    own,
    check(token) {
      // Comparing hashes reveals nothing about a token through timing.
      const hash = hashOf(token);
      const found = known.get(hash) ?? kept.find((one) => one.hash === hash);
      if (found?.expiresAt !== undefined && Date.parse(found.expiresAt) <= now()) return "expired";
      return found && infoOf(found);
    },
    list: () => kept.map(infoOf),
    create({ name, scopes, days = 30 }) {
      const token = newToken();
      const info: TokenInfo = {
        id: randomBytes(6).toString("hex"),
        name,
        scopes: [...new Set(scopes)],
        createdAt: new Date(now()).toISOString(),
        expiresAt: new Date(now() + days * day).toISOString(),
      };
      keep([...kept, { ...info, hash: hashOf(token) }]);
      return { ...info, token };
    },
    remove(id) {
      const found = kept.find((one) => one.id === id);
      if (found === undefined) throw new HttpError(404, "invalid_input", `There is no token ${id}.`);
      keep(kept.filter((one) => one !== found));
      for (const listener of [...listeners]) listener();
      return infoOf(found);
    },
    onRemoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function infoOf({ id, name, scopes, createdAt, expiresAt }: TokenInfo): TokenInfo {
  return { id, name, scopes, createdAt, ...(expiresAt !== undefined && { expiresAt }) };
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Kept across restarts, so that an open page keeps working. */
function ownToken(folder: string): string {
  const path = join(folder, "server-token");
  try {
    const there = readFileSync(path, "utf8").trim();
    if (/^[\w-]{43}$/.test(there)) return there;
  } catch {
    // No readable file, so create a new token.
  }
  const token = newToken();
  writePrivate(path, `${token}\n`);
  return token;
}

function readTokens(path: string): readonly KeptToken[] {
  // A broken file invalidates these tokens; the user's own token still works.
  const tokens = readJson<readonly (KeptToken | null)[]>(path);
  return Array.isArray(tokens) ? tokens.filter((one): one is KeptToken => typeof one?.hash === "string") : [];
}
