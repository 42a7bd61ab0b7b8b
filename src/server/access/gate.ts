/** Checks host, origin and token of a request or WebSocket. */
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "../http-error.ts";
import type { Principal } from "./principal.ts";
import type { Tokens } from "./tokens.ts";

export interface GateOptions {
  readonly tokens: Tokens;
  /** The values allowed in the Host header: `name:port`, lower case. */
  readonly hosts: () => ReadonlySet<string>;
  readonly cookie: () => string;
  readonly rootsOf: (scopes: readonly string[]) => readonly string[] | undefined;
  readonly originOf: Principal["originOf"];
}

export interface GateRequest {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** True for a request that changes something and for a WebSocket: a cookie without an Origin is not enough then. */
  readonly changes: boolean;
}

const elsewhere: ReadonlySet<string> = new Set(["same-site", "cross-site"]);

export class Gate {
  readonly #options: GateOptions;
  readonly #failures = new Failures();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Prevents DNS rebinding: a page elsewhere whose name resolves to this server sends another Host. */
  requireHost({ headers }: GateRequest): void {
    if (this.#options.hosts().has((headers.host ?? "").toLowerCase())) return;
    throw new HttpError(403, "permission_denied", "This server does not accept the host name of this request.", {
      help: "Start the server with `--allow-host <name>` to allow it.",
    });
  }

  requireOrigin({ headers }: GateRequest): void {
    const { origin } = headers;
    if (origin === undefined || this.#isOurs(origin)) return;
    throw new HttpError(403, "permission_denied", "A page from another origin may not use this server.");
  }

  principal(knock: GateRequest): Principal {
    const bearer = /^Bearer (\S+)$/i.exec(knock.headers.authorization ?? "")?.[1];
    const token = bearer ?? this.#cookieOf(knock);
    if (token === undefined) return this.refuse(knock, "This request needs a token.");
    // A page of another port belongs to the same site: its images and no-cors requests send the cookie but no Origin.
    if (bearer === undefined && elsewhere.has(String(knock.headers["sec-fetch-site"])))
      throw new HttpError(403, "permission_denied", "A page from another origin may not use this server.");
    if (bearer === undefined && knock.changes && knock.headers.origin === undefined)
      throw new HttpError(
        403,
        "permission_denied",
        "A request that changes something with a cookie must have an Origin header.",
      );
    return this.known(knock, token);
  }

  known(knock: GateRequest, token: string): Principal {
    const { tokens, rootsOf, originOf } = this.#options;
    const found = tokens.check(token);
    if (found === undefined) return this.refuse(knock, "This token is unknown.");
    if (found === "expired") return this.refuse(knock, "This token has expired.");
    const counts = (): boolean => typeof tokens.check(token) === "object";
    return { token: found, roots: rootsOf(found.scopes), originOf, counts };
  }

  /** Counts a failed authentication; throws after too many. */
  failed({ address }: GateRequest): void {
    if (this.#failures.add(address))
      throw new HttpError(429, "rate_limited", "Too many requests without a valid token; wait a minute.");
  }

  refuse(knock: GateRequest, message: string): never {
    this.failed(knock);
    throw new HttpError(401, "not_authenticated", message, {
      help: "`reins serve` prints an address with a token; send it as `Authorization: Bearer <token>`.",
    });
  }

  #isOurs(origin: string): boolean {
    const found = /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1];
    return found !== undefined && this.#options.hosts().has(found);
  }

  #cookieOf({ headers }: GateRequest): string | undefined {
    const name = this.#options.cookie();
    const found = (headers.cookie ?? "").split(/;\s*/).find((one) => one.startsWith(`${name}=`));
    return found?.slice(name.length + 1) || undefined;
  }
}

/** Limits failed authentications per address and minute. Valid tokens are never delayed. */
const window = 60_000;
const most = 20;
const mostAddresses = 10_000;

export class Failures {
  readonly #of = new Map<string, { since: number; count: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns true after too many failures. */
  add(address: string): boolean {
    const now = this.#now();
    const known = this.#of.get(address);
    const entry = known === undefined || now - known.since > window ? { since: now, count: 0 } : known;
    entry.count++;
    if (this.#of.size > mostAddresses) this.#of.clear();
    this.#of.set(address, entry);
    return entry.count > most;
  }
}

const loopback = ["127.0.0.1", "localhost", "[::1]"];

/** Allowed Host headers: `name:port` in lower case, and the name alone if a proxy or port 80 leaves the port out. */
export function hostNames(host: string, more: readonly string[], port: () => number): () => ReadonlySet<string> {
  const own = [...loopback, host.includes(":") ? `[${host}]` : host].map((name) => name.toLowerCase());
  const allowed = more.map((name) => name.toLowerCase());
  let known: { readonly port: number; readonly names: ReadonlySet<string> } | undefined;
  return () => {
    if (known?.port !== port()) {
      const at = port();
      const names = [...own, ...allowed].map((name) => `${name}:${at}`);
      known = { port: at, names: new Set([...names, ...allowed, ...(at === 80 ? own : [])]) };
    }
    return known.names;
  };
}
