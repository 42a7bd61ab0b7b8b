/** Who may ask for what. Of a token only its hash is kept, but for the person's own, which is theirs to read. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpError } from "../http-error.ts";
import { writePrivate } from "../server-file.ts";
import type { NewToken, Scope, TokenInfo } from "../schemas/settings.ts";

interface KeptToken extends TokenInfo {
  readonly hash: string;
}

export interface Tokens {
  /** The person's own, with every scope. */
  readonly own: string;
  /** Undefined where it is none, or no more. */
  check(token: string): TokenInfo | "expired" | undefined;
  list(): readonly TokenInfo[];
  create(wanted: {
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly days?: number | undefined;
  }): NewToken;
  remove(id: string): TokenInfo;
  /** Called when one was removed; what is given back ends that. */
  onRemoved(listener: () => void): () => void;
}

const day = 24 * 60 * 60 * 1000;

/** In files of this folder that nobody else may read; without one, in memory. */
export function openTokens(folder?: string, now: () => number = Date.now): Tokens {
  const path = folder === undefined ? undefined : join(folder, "tokens.json");
  const own = folder === undefined ? newToken() : ownToken(folder);
  const ownInfo: TokenInfo = {
    id: "own",
    name: "the person's own",
    scopes: ["admin"],
    createdAt: new Date(now()).toISOString(),
  };
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
      // Hashes are compared, so how long it takes tells nothing about a token.
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

/** The same one after a restart, so that a page that is open goes on. */
function ownToken(folder: string): string {
  const path = join(folder, "server-token");
  const there = read(path)?.trim();
  if (there !== undefined && /^[\w-]{43}$/.test(there)) return there;
  const token = newToken();
  writePrivate(path, `${token}\n`);
  return token;
}

function readTokens(path: string): readonly KeptToken[] {
  const text = read(path);
  if (text === undefined) return [];
  try {
    const tokens = JSON.parse(text) as readonly KeptToken[];
    return Array.isArray(tokens) ? tokens.filter(({ hash }) => typeof hash === "string") : [];
  } catch {
    // Whoever broke it locked these tokens out; the person's own still works.
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
