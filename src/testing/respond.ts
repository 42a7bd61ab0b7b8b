/** Answers one request to the scripted model, and logs it. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { toReinsError } from "../events/errors.ts";
import { control } from "./control.ts";
import { locate } from "./conversation.ts";
import type { Dialect, ModelRequest } from "./dialects/dialect.ts";
import { cutOff, sendJson } from "./dialects/http.ts";
import { dialects } from "./dialects/index.ts";
import type { House } from "./house.ts";
import { play } from "./play.ts";
import { redactHeaders, type LoggedRequest } from "./requests.ts";
import type { ScriptedError } from "./scenario.ts";
import { cue, type Cue } from "./script.ts";
import { dummyFor } from "./side.ts";

const usualUsage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };

export class Responder {
  readonly #house: House;
  readonly #attempts = new Map<string, number>();

  constructor(house: House) {
    this.#house = house;
  }

  async respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? "GET";
    const path = incoming.url ?? "/";
    const { pathname } = new URL(path, "http://model");
    // A client that leaves while it still sends has nothing to be answered.
    const raw = await text(incoming).catch(() => undefined);
    if (raw === undefined) return;
    const { log } = this.#house;
    const entry = log.add({
      method,
      path,
      headers: redactHeaders(incoming.headers),
      body: parse(raw),
      kind: "refused",
    });
    response.once("close", () => {
      entry.status ??= response.statusCode;
      entry.ended ??= response.writableFinished ? "answered" : "aborted";
      log.changed(entry);
    });
    try {
      if (control(this.#house, method, pathname, entry, response)) return;
      await this.#route(method, pathname, raw.length, entry, response);
    } catch (thrown) {
      refuse(dialects[0], entry, response, 400, toReinsError(thrown).message);
    } finally {
      log.changed(entry);
    }
  }

  async #route(method: string, pathname: string, bytes: number, entry: LoggedRequest, response: ServerResponse) {
    if (method === "HEAD" || pathname === "/" || pathname === "/api/hello") {
      entry.kind = "hello";
      return sendJson(response, 200, { message: "hello" });
    }
    for (const dialect of dialects) {
      const route = dialect.route(method, pathname);
      if (!route) continue;
      if (route.kind === "answer") return this.#answer(dialect, entry, response);
      entry.kind = route.kind;
      return sendJson(response, 200, route.reply(bytes));
    }
    refuse(dialects[0], entry, response, 404, `The scripted model has no ${method} ${pathname}.`);
  }

  async #answer(dialect: Dialect, entry: LoggedRequest, response: ServerResponse): Promise<void> {
    const request = dialect.read(entry.body);
    entry.items = request.items;
    const chosen = request.sideSchema === undefined ? cue(this.#house.script, locate(request.items)) : side(request);
    entry.kind = request.sideSchema === undefined ? "answer" : "side";
    const attempt = this.#attempt(chosen, request);
    Object.assign(entry, { scenario: chosen.scenario, step: chosen.step, attempt });
    this.#house.log.changed(entry);

    const limit = chosen.limit === undefined ? {} : dialect.limitHeaders(chosen.limit, Date.now());
    const headers = { ...limit, ...chosen.headers };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const ended = await play(chosen, {
      writer: dialect.answer(response, request, { headers, usage: { ...usualUsage, ...chosen.usage } }),
      gates: this.#house.gates,
      attempt,
      gone: gone.signal,
      fail: (error) => sendError(dialect, response, error, headers),
      cut: () => cutOff(response),
    });
    entry.ended = ended;
    entry.status = response.statusCode;
  }

  #attempt(chosen: Cue, request: ModelRequest): number {
    const asked = JSON.stringify([chosen.scenario, request.conversation, request.items]);
    const key = createHash("sha1").update(asked).digest("hex");
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt;
  }
}

function side(request: ModelRequest): Cue {
  const acts = [{ say: JSON.stringify(dummyFor(request.sideSchema)) }];
  return { scenario: "side", step: 0, acts, stop: undefined, usage: {}, headers: {}, limit: undefined };
}

function sendError(dialect: Dialect, response: ServerResponse, error: ScriptedError, headers: Record<string, string>) {
  const body =
    error.body ?? dialect.errorBody(error.status, error.message ?? `Scripted error ${error.status}`, error.type);
  sendJson(response, error.status, body, { ...headers, ...error.headers });
}

function refuse(
  dialect: Dialect | undefined,
  entry: LoggedRequest,
  response: ServerResponse,
  status: number,
  problem: string,
) {
  entry.kind = "refused";
  entry.problem = problem;
  entry.status = status;
  if (!response.headersSent) sendJson(response, status, dialect?.errorBody(status, problem) ?? { error: problem });
  else response.destroy();
}

function parse(raw: string): unknown {
  if (raw === "") return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
