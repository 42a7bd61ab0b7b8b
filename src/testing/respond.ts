/** Answers one request to the scripted model, and logs it. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { toReinsError } from "../events/errors.ts";
import { isRecord, parseJson } from "../protocols/json.ts";
import { locate } from "./conversation.ts";
import {
  beginAnswer,
  cutOff,
  sendJson,
  type Call,
  type Dialect,
  type ModelRequest,
  type Route,
} from "./dialects/dialect.ts";
import { dialects } from "./dialects/index.ts";
import type { Gates } from "./barriers.ts";
import { play } from "./play.ts";
import { redactHeaders, type LoggedRequest, type RequestLog } from "./requests.ts";
import type { Limit, ScriptedError } from "./scenario.ts";
import { cue, type Cue, type Script } from "./script.ts";

const usualUsage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, thought: 0 };

/** State that all requests to one scripted model share. */
interface House {
  readonly script: Script;
  readonly log: RequestLog;
  readonly gates: Gates;
}

export class Responder {
  readonly #house: House;
  readonly #attempts = new Map<string, number>();

  constructor(house: House) {
    this.#house = house;
  }

  async respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const { pathname: path } = new URL(url, "http://model");
    // A client that disconnects while it sends gets no answer.
    const raw = await text(incoming).catch(() => undefined);
    if (raw === undefined) return;
    const { log } = this.#house;
    const entry = log.add({
      method,
      path: url,
      headers: redactHeaders(headers),
      body: raw === "" ? undefined : parseJson(raw, raw),
      kind: "refused",
    });
    response.once("close", () => {
      entry.status ??= response.statusCode;
      entry.ended ??= response.writableFinished ? "answered" : "aborted";
      log.changed(entry);
    });
    const { dialect, route } = find({ method, path, headers });
    try {
      if (control(this.#house, method, path, entry, response)) return;
      if (route === undefined) refuse(dialect, entry, response, 404, `The scripted model has no ${method} ${path}.`);
      else if (route.kind === "answer") await this.#answer(dialect, route.read(entry.body), entry, response);
      else {
        entry.kind = route.kind;
        sendJson(response, route.status ?? 200, route.reply(raw.length));
      }
    } catch (thrown) {
      refuse(dialect, entry, response, 400, toReinsError(thrown).message);
    } finally {
      log.changed(entry);
    }
  }

  async #answer(dialect: Dialect, request: ModelRequest, entry: LoggedRequest, response: ServerResponse) {
    const { script, log, gates } = this.#house;
    entry.items = request.items;
    const place = locate(request.items);
    const asides = script.proof?.asides ?? [];
    const isAside = asides.some((words) => request.instructions.includes(words) || place.newest.includes(words));
    const side = request.side ?? (isAside ? "words" : undefined);
    const chosen = side === undefined ? cue(script, place) : sideCue(side);
    entry.kind = side === undefined ? "answer" : "side";
    const attempt = this.#attempt(chosen, request, side === undefined ? place.until : request.items.length);
    Object.assign(entry, { scenario: chosen.scenario, step: chosen.step, attempt });
    log.changed(entry);

    const headers = { ...this.#limitHeaders(dialect, chosen.limit), ...chosen.headers };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const ended = await play(chosen, {
      writer: beginAnswer(dialect, response, request, { headers, usage: { ...usualUsage, ...chosen.usage } }),
      gates,
      attempt,
      gone: gone.signal,
      fail: (error) => sendError(dialect, response, error, chosen.limit, headers),
      show: ({ status = 200, text: shown, headers: own }) => {
        const type = shown === "" ? {} : { "content-type": "text/html; charset=utf-8" };
        response.writeHead(status, { ...type, ...headers, ...own }).end(shown);
      },
      reset: () => response.socket?.resetAndDestroy(),
      cut: () => cutOff(response),
    });
    entry.ended = ended;
    entry.status = response.statusCode;
  }

  #limitHeaders(dialect: Dialect, limit: Limit | undefined): Record<string, string> {
    if (limit === undefined) return {};
    return this.#house.script.proof?.limitHeaders?.(limit) ?? dialect.limitHeaders?.(limit, Date.now()) ?? {};
  }

  /**
   * Counts requests for the same step of the same scenario. Items after the marker may differ, because some agents repeat the cut-off
   * answer.
   */
  #attempt({ scenario, step, played }: Cue, { conversation, items }: ModelRequest, until: number): number {
    const asked = JSON.stringify([scenario, step, played, conversation, items.slice(0, until)]);
    const key = createHash("sha1").update(asked).digest("hex");
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt;
  }
}

const hello: Route = { kind: "hello", reply: () => ({ message: "hello" }) };

/** Finds the format of a request. An unknown request is refused in the first format. */
function find(call: Call): { dialect: Dialect; route: Route | undefined } {
  if (call.method === "HEAD" || call.path === "/" || call.path === "/api/hello")
    return { dialect: dialects[0], route: hello };
  for (const dialect of dialects) {
    const route = dialect.route(call);
    if (route) return { dialect, route };
  }
  return { dialect: dialects[0], route: undefined };
}

function sendError(
  dialect: Dialect,
  response: ServerResponse,
  error: ScriptedError,
  limit: Limit | undefined,
  headers: Record<string, string>,
): void {
  const { status = 500, meaning, type, message, headers: own } = error;
  const retryAfter = Number(own?.["retry-after"]);
  const sent = dialect.error({
    status,
    meaning,
    type,
    message,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
    limit: limit?.status === "reached" ? limit : undefined,
  });
  sendJson(response, sent.status, error.body ?? sent.body, { ...headers, ...own });
}

function refuse(dialect: Dialect, entry: LoggedRequest, response: ServerResponse, status: number, problem: string) {
  entry.kind = "refused";
  entry.problem = problem;
  entry.status = status;
  if (!response.headersSent) sendJson(response, status, dialect.error({ status, message: problem }).body);
  else response.destroy();
}

/** The simplest value that a JSON schema allows. */
function dummyFor(schema: unknown, name = "value"): unknown {
  if (!isRecord(schema)) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  for (const choice of ["anyOf", "oneOf"]) if (Array.isArray(schema[choice])) return dummyFor(schema[choice][0], name);
  const given: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  // Google writes STRING.
  const type = typeof given === "string" ? given.toLowerCase() : undefined;
  if (type === "string") return `scripted ${name}`;
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
  if (type === "array") return [];
  if (!isRecord(schema["properties"])) return type === "object" ? {} : null;
  return Object.fromEntries(Object.entries(schema["properties"]).map(([key, value]) => [key, dummyFor(value, key)]));
}

function sideCue(side: { readonly schema: unknown } | "words"): Cue {
  const said = side === "words" ? "A scripted answer" : JSON.stringify(dummyFor(side.schema));
  const nothingElse = { stop: undefined, usage: {}, headers: {}, limit: undefined };
  return { scenario: "side", step: 0, played: 0, acts: [{ say: said }], ...nothingElse };
}

/** Handles requests to `/_script`. Returns false when the request is meant for the model. */
function control(house: House, method: string, path: string, entry: LoggedRequest, response: ServerResponse): boolean {
  const [, space, what, name] = path.split("/");
  if (space !== "_script") return false;
  entry.kind = "control";
  if (method === "POST" && what === "release" && name) {
    house.gates.release(decodeURIComponent(name));
    sendJson(response, 200, { released: name });
  } else if (method === "GET" && what === "requests") {
    const requests = house.log.entries.filter((request) => request.kind !== "control");
    sendJson(response, 200, requests);
  } else if (method === "GET" && what === "scenarios") {
    sendJson(response, 200, [...house.script.scenarios.values()]);
  } else {
    sendJson(response, 404, { error: `There is no ${method} ${path}.` });
  }
  return true;
}
