/**
 * A driver: one persistent process, NDJSON in both directions, requests and answers of both sides matched by id
 * (`control_request`, `control_response`, `control_cancel_request`). Which agent it is, only its options know.
 */
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { LineBatch } from "../../process/types.ts";
import { goneError } from "../shared/gone.ts";
import { Notices } from "../shared/notices.ts";
import { Requests } from "./requests.ts";
import type { Dialect, StreamJson, StreamJsonOptions } from "./types.ts";

export { goneOf } from "../shared/gone.ts";
export { refusalOf } from "./requests.ts";
export type { Dialect, StreamJson, StreamJsonOptions, WireRequest } from "./types.ts";

type Message = Readonly<Record<string, unknown>>;

/** What is said while an answer is waited for has nobody to read it yet; a program that is ready soon says far less. */
const mostEarly = 8 * 1024 * 1024;

const controlMessages: Dialect = {
  fromWire: (message) => (String(message["type"]).startsWith("control_") ? message : undefined),
  toWire: (message) => message,
};

export function openStreamJson(options: StreamJsonOptions): StreamJson {
  const { child, name, agent, dialect = controlMessages } = options;
  const requests = new Requests(name, agent);
  const notices = new Notices();
  const asked = new Set<string>();
  const lines = child.lines[Symbol.asyncIterator]();
  /** A batch that was asked for and that nobody has taken yet. */
  let ahead: Promise<IteratorResult<LineBatch>> | undefined;
  const early: AgentEvent[] = [];
  /** Wakes whoever waits for lines, because there are events without one. */
  let wake: (() => void) | undefined;

  // An answer may still lie in the pipe when the process is gone; when nobody reads it in time, it never comes.
  void child.exited.then((exit) =>
    setTimeout(() => requests.end(goneError(name, agent, exit, child.stderrTail())), options.drainMs).unref(),
  );

  const send = (message: object) => child.write(`${lineOf(message)}\n`);

  function answer(requestId: string, body: object): boolean {
    if (!asked.delete(requestId)) return false;
    void send(dialect.toWire({ type: "control_response", response: { ...body, request_id: requestId } }));
    return true;
  }

  function take(batch: LineBatch, out: AgentEvent[]): void {
    for (const line of batch.lines) {
      if (line === "") continue;
      const message = parse(line);
      const ofControl =
        typeof message === "object" && message !== null ? dialect.fromWire(message as Message) : undefined;
      if (ofControl !== undefined) control(String(ofControl["type"]), ofControl, out);
      else for (const event of options.translate(message)) out.push(event);
    }
    if (batch.overlong > 0)
      notices.add("truncated", `${name} printed lines over the limit; they were left out.`, batch.overlong, out);
  }

  function control(type: string, message: Message, out: AgentEvent[]): void {
    if (type === "control_response") {
      const response = record(message["response"]);
      if (!requests.settle(response))
        notices.add("unexpected_answer", `${name} answered what nobody waits for.`, 1, out);
      return;
    }
    const id = message["request_id"];
    if (typeof id !== "string") {
      notices.add("unparsed", `${name} sent requests without an id; they were left out.`, 1, out);
    } else if (type === "control_cancel_request") {
      if (asked.delete(id)) out.push(...options.onWithdrawn(id, message));
    } else if (type === "control_request") {
      const body = record(message["request"]);
      asked.add(id);
      out.push(...options.onRequest({ id, subtype: String(body["subtype"]), body }));
    } else {
      out.push(...options.translate(message));
    }
  }

  async function* read(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    for (;;) {
      // Again: more may be said while the reader looks at it, and nobody would be woken.
      while (early.length > 0) yield early.splice(0);
      ahead ??= lines.next();
      const step = await Promise.race([ahead, new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))]);
      if (step === undefined) continue;
      ahead = undefined;
      if (step.done === true) break;
      const out = early.splice(0);
      take(step.value, out);
      if (out.length > 0) yield out;
    }
    const exit = await child.exited;
    const tail = child.stderrTail();
    requests.end(goneError(name, agent, exit, tail));
    asked.clear();
    const out = early.splice(0);
    notices.flush(out);
    out.push(...options.onExit(exit, tail));
    yield out;
  }

  return {
    events: { [Symbol.asyncIterator]: read },
    send,
    say(events) {
      early.push(...events);
      wake?.();
    },
    request(subtype, payload, deadlineMs = options.requestMs) {
      const { id, answer: promise } = requests.add(subtype, deadlineMs);
      void send(dialect.toWire({ type: "control_request", request_id: id, request: { subtype, ...payload } }));
      return promise;
    },
    respond: (requestId, response) => answer(requestId, { subtype: "success", response }),
    refuse: (requestId, error) => answer(requestId, { subtype: "error", error }),
    async readUntil(promise) {
      let chars = 0;
      let settled = false;
      const done = promise.then(
        () => void (settled = true),
        () => void (settled = true),
      );
      while (!settled) {
        ahead ??= lines.next();
        const step = await Promise.race([ahead, done]);
        // Settled meanwhile (a deadline): what was asked of the pipe stays for the reader of `events`.
        if (step === undefined) break;
        ahead = undefined;
        if (step.done === true) {
          const exit = await child.exited;
          requests.end(goneError(name, agent, exit, child.stderrTail()));
          await done;
          break;
        }
        const before = early.length;
        take(step.value, early);
        if (early.length > before) chars += step.value.lines.reduce((sum, line) => sum + line.length, 0);
        if (chars > mostEarly) requests.end(talkative(name, agent));
      }
      return promise;
    },
  };
}

function talkative(name: string, agent: string): ReinsError {
  return new ReinsError("protocol_error", `${name} went on talking instead of answering.`, { agent });
}

/** Some programs split their input at these too, which JSON allows inside a text. */
function lineOf(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A line that is no JSON is itself the message: the agent's folder says what becomes of it. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function record(value: unknown): Message {
  return typeof value === "object" && value !== null ? (value as Message) : {};
}
