/** The way in: which host was meant, from where, and who asks. The same for requests and for WebSockets. */
import type { IncomingHttpHeaders } from "node:http";
import { HttpError } from "../http-error.ts";
import { Failures } from "./failures.ts";
import type { Principal } from "./principal.ts";
import type { Tokens } from "./tokens.ts";

export interface GateOptions {
  readonly tokens: Tokens;
  /** `name:port`, small letters: what the Host header may say. */
  readonly hosts: () => ReadonlySet<string>;
  readonly cookie: () => string;
  readonly rootsOf: (scopes: readonly string[]) => readonly string[] | undefined;
  readonly originOf: Principal["originOf"];
}

export interface Knock {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** It changes something, or is a WebSocket: then a cookie alone is not enough. */
  readonly changes: boolean;
}

const elsewhere: ReadonlySet<string> = new Set(["same-site", "cross-site"]);

export class Gate {
  readonly #options: GateOptions;
  readonly #failures = new Failures();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** A page elsewhere whose name leads here (DNS rebinding) has another Host. */
  requireHost({ headers }: Knock): void {
    if (this.#options.hosts().has((headers.host ?? "").toLowerCase())) return;
    throw new HttpError(403, "permission_denied", "This server does not answer to that host.", {
      help: "Start it with `--allow-host <name>` where it is meant to.",
    });
  }

  requireOrigin({ headers }: Knock): void {
    const { origin } = headers;
    if (origin === undefined || this.#isOurs(origin)) return;
    throw new HttpError(403, "permission_denied", "A page of another origin may not ask this server.");
  }

  /** Throws where there is no token that counts. */
  principal(knock: Knock): Principal {
    const bearer = /^Bearer (\S+)$/i.exec(knock.headers.authorization ?? "")?.[1];
    const token = bearer ?? this.#cookieOf(knock);
    if (token === undefined) return this.refuse(knock, "This needs a token.");
    // A page of another port is of the same site: its images and no-cors requests bring the cookie, and no Origin.
    if (bearer === undefined && elsewhere.has(String(knock.headers["sec-fetch-site"])))
      throw new HttpError(403, "permission_denied", "A page of another origin may not ask this server.");
    if (bearer === undefined && knock.changes && knock.headers.origin === undefined)
      throw new HttpError(403, "permission_denied", "A page that changes something must say its origin.");
    return this.known(knock, token);
  }

  known(knock: Knock, token: string): Principal {
    const { tokens, rootsOf, originOf } = this.#options;
    const found = tokens.check(token);
    if (found === undefined) return this.refuse(knock, "This token is not known here.");
    if (found === "expired") return this.refuse(knock, "This token has expired.");
    const counts = (): boolean => typeof tokens.check(token) === "object";
    return { token: found, roots: rootsOf(found.scopes), originOf, counts };
  }

  /** One that could not show who it is; throws where it was one too many. */
  failed({ address }: Knock): void {
    if (this.#failures.add(address))
      throw new HttpError(429, "rate_limited", "Too many requests without a token that counts; wait a minute.");
  }

  refuse(knock: Knock, message: string): never {
    this.failed(knock);
    throw new HttpError(401, "not_authenticated", message, {
      help: "`reins serve` prints an address with a token; send it as `Authorization: Bearer <token>`.",
    });
  }

  #isOurs(origin: string): boolean {
    const found = /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1];
    return found !== undefined && this.#options.hosts().has(found);
  }

  #cookieOf({ headers }: Knock): string | undefined {
    const name = this.#options.cookie();
    const found = (headers.cookie ?? "").split(/;\s*/).find((one) => one.startsWith(`${name}=`));
    return found?.slice(name.length + 1) || undefined;
  }
}
