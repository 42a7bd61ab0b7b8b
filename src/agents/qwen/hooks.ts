/**
 * Qwen Code's hooks: it posts each one to a server on loopback and waits for the answer. They hold every tool,
 * including those of a subagent, which has no other way to ask. Each becomes a line of the process, as a request. The
 * secret in the address is the authentication.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SecondChannel } from "../../process/types.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { isSameSecret } from "../shared/same-secret.ts";
import { Transcript } from "./transcript.ts";

/** After a minute the program continues and the tool runs, so Reins denies it before that. */
export const hookMs = 50_000;

export const hookNames = ["SessionStart", "PreToolUse", "PermissionRequest", "SubagentStop", "PostCompact"] as const;

export interface HooksOptions {
  readonly maxBytes: number;
  readonly resumed: boolean;
}

const idStart = "hook-";

export class Hooks implements SecondChannel {
  readonly #options: HooksOptions;
  readonly #secret = randomBytes(24).toString("base64url");
  readonly #server = createServer((request, response) => void this.#posted(request, response));
  readonly #waiting = new Map<string, (body: object) => void>();
  readonly #early: string[] = [];
  #say: ((line: string) => void) | undefined;
  #transcript: Transcript | undefined;
  #count = 0;

  private constructor(options: HooksOptions) {
    this.#options = options;
  }

  static async open(options: HooksOptions): Promise<Hooks> {
    const hooks = new Hooks(options);
    const server = hooks.#server;
    // A tool may wait as long as needed, and does not keep this process alive.
    server.requestTimeout = 0;
    server.listen(0, "127.0.0.1");
    server.unref();
    await once(server, "listening");
    return hooks;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.#secret}`;
  }

  listen(say: (line: string) => void): void {
    this.#say = say;
    for (const line of this.#early.splice(0)) say(line);
  }

  /** Takes answers to hooks, including late ones. */
  take(line: string): boolean {
    if (!line.startsWith('{"type":"control_response"')) return false;
    const { request_id: id, response } = record(record(JSON.parse(line) as unknown)["response"]);
    if (typeof id !== "string" || !id.startsWith(idStart)) return false;
    this.#waiting.get(id)?.(record(response));
    return true;
  }

  async begin(path: string): Promise<void> {
    this.#transcript = new Transcript(path);
    await this.#transcript.begin();
  }

  /** Reports failed requests to the model, which are only in the transcript. */
  async look(): Promise<void> {
    const transcript = this.#transcript;
    if (transcript === undefined) return;
    for (const failure of await transcript.failures()) this.#line({ type: "request_failed", ...failure });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #posted(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || !isSameSecret(request.url ?? "", `/${this.#secret}`))
      return end(response, 404, {});
    try {
      await this.#hook(await bodyOf(request, this.#options.maxBytes), response);
    } catch {
      // A tool that cannot be parsed does not run.
      end(response, 200, stop("Reins could not read the input of this tool."));
    }
  }

  async #hook(input: JsonObject, response: ServerResponse): Promise<void> {
    const name = String(input["hook_event_name"]);
    const id = `${idStart}${++this.#count}`;
    const path = text(input["transcript_path"]);
    const isResumed = this.#options.resumed && name === "SessionStart" && path !== undefined;
    const used = isResumed ? await new Transcript(path).used() : undefined;
    const done = (body: object): void => {
      clearTimeout(timer);
      this.#waiting.delete(id);
      end(response, 200, body);
    };
    const withdraw = (late: boolean, body: object): void => {
      if (!this.#waiting.has(id)) return;
      this.#line({ type: "control_cancel_request", request_id: id, late });
      done(body);
    };
    const timer = setTimeout(() => withdraw(true, tooLate(name, input)), hookMs);
    this.#waiting.set(id, done);
    response.on("close", () => withdraw(false, {}));
    this.#line({ type: "control_request", request_id: id, request: { subtype: "hook", name, input, used } });
  }

  #line(message: object): void {
    const line = JSON.stringify(message);
    if (this.#say === undefined) this.#early.push(line);
    else this.#say(line);
  }
}

async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RangeError("The input of a hook was too long.");
    chunks.push(chunk);
  }
  return record(JSON.parse(Buffer.concat(chunks).toString("utf8")));
}

function end(response: ServerResponse, status: number, body: object): void {
  if (response.writableEnded) return;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** An empty answer leaves a tool to the program's own rules. */
export const run: object = {};
export const stop = (reason: string): object => beforeTool("deny", reason);
export const ask = (reason: string): object => beforeTool("ask", reason);

function beforeTool(permissionDecision: "deny" | "ask", permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } };
}

export const allowed = (updatedInput: JsonObject | undefined): object => decided({ behavior: "allow", updatedInput });
export const refused = (message: string): object => decided({ behavior: "deny", message });

function decided(decision: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

/** At the deadline a permission of the main conversation continues over the wire; a subagent's cannot. */
export function tooLate(name: string, input: JsonObject): object {
  const why = "Denied: nobody answered in time.";
  if (name === "PreToolUse") return stop(why);
  return name === "PermissionRequest" && isSubagents(input) ? refused(why) : {};
}

export function isSubagents(input: JsonObject): boolean {
  return text(input["agent_id"]) !== undefined;
}

/** The target of an answer: the wire, or a hook. */
export interface Reply {
  /** Returns false when a changed input cannot be sent this way. */
  allow(input?: JsonObject): boolean;
  deny(message: string): void;
}

/** A permission that is asked in a hook and, after the hook's deadline, over the wire. */
export class Relay implements Reply {
  #to: Reply | undefined;
  #given: ((to: Reply) => void) | undefined;

  constructor(first: Reply) {
    this.#to = first;
  }

  allow(input?: JsonObject): boolean {
    this.#given = (to) => {
      if (!to.allow(input)) to.deny("The input of this tool cannot be changed any more.");
    };
    return this.#to === undefined || this.#to.allow(input);
  }

  deny(message: string): void {
    this.#given = (to) => to.deny(message);
    this.#to?.deny(message);
  }

  wait(): void {
    this.#to = undefined;
  }

  goOn(to: Reply): void {
    this.#to = to;
    this.#given?.(to);
  }
}
