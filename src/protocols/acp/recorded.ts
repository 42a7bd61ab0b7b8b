/** A recorded stream of the protocol, translated without an agent: what it asks is allowed, and answers go nowhere. */
import type { AgentEvent } from "../../events/types.ts";
import type { JsonRpc } from "../json-rpc/index.ts";
import type { Classifier } from "../failure.ts";
import type { RecordedStream, RecordedTranslator, RecordedWire } from "../recorded.ts";
import { Asking, OwnMethods } from "./requests.ts";
import type { AcpQuirks } from "./options.ts";
import { isRecord, record, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { Translator } from "./translate.ts";

export interface RecordedAcp {
  readonly name: string;
  readonly agent: string;
  readonly quirks: AcpQuirks;
  readonly failures: Classifier;
}

export function acpWire(about: RecordedAcp): RecordedWire {
  return {
    name: "ACP",
    recognizes: (message) =>
      isRecord(message) &&
      message["jsonrpc"] === "2.0" &&
      (text(message["method"])?.startsWith("session/") === true || "protocolVersion" in record(message["result"])),
    conversations: (stream) => [conversation(about, stream)],
  };
}

/** Nobody is at the other end: answers go nowhere. */
export const deaf: JsonRpc = {
  events: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) },
  notify: () => Promise.resolve(),
  request: () => Promise.resolve(),
  respond: () => true,
  refuse: () => true,
  forget: () => undefined,
  say: () => {},
  readUntil: (promise) => promise,
};

function conversation({ name, agent, quirks, failures }: RecordedAcp, { cwd }: RecordedStream): RecordedTranslator {
  const translator = new Translator({ name, agent, quirks, failures, cwd, mode: "ask", resumed: false, prefix: "" });
  const asking = new Asking({ rpc: deaf, translator, cwd, quirks });
  const own = new OwnMethods({ rpc: deaf, translator, asking, quirks });
  /** Requests that wait for an answer, by id, and what they are. */
  const waiting = new Map<unknown, string>();
  let asked = 0;

  const update = (params: unknown, out: AgentEvent[]): void => translator.update(record(params)["update"], out);
  const answer = (message: JsonObject, out: AgentEvent[]): void => {
    const method = waiting.get(message["id"]);
    waiting.delete(message["id"]);
    if (method === "session/prompt" && translator.running) {
      const { error, result } = message;
      translator.ended(isRecord(error) ? { error: { code: 0, message: "", ...error } } : { result }, out);
      asking.turnEnded();
    } else if (method !== undefined && resumes.has(method)) translator.replaying = false;
  };
  const request = (method: string, params: unknown, message: JsonObject, out: AgentEvent[]): void => {
    const request = { id: `r${++asked}`, method, params, message };
    if (method === "session/request_permission") asking.permission(request, out);
    else if (method === "elicitation/create") asking.form(request, out);
    else if (!own.asked(request, out) && !translator.ignores(method)) translator.strays.refused(method, out);
  };

  return {
    begins: ({ dir, message }) => dir === "in" && record(message)["method"] === "session/prompt",
    prompted: () => translator.prompted(),
    sent: (message) => {
      const { id, method } = record(message);
      if (typeof method !== "string") return;
      waiting.set(id, method);
      if (resumes.has(method)) translator.replaying = true;
      if (method === "session/cancel") translator.cancelling = translator.running;
    },
    said: (message) => {
      const out: AgentEvent[] = [];
      if (!isRecord(message)) translator.strays.unknown("what is no JSON-RPC", out);
      else {
        const { id, method, params } = message;
        if (typeof method !== "string") answer(message, out);
        else if (id !== undefined) request(method, params, message, out);
        else if (method === "session/update") update(params, out);
        else if (!own.told(method, params, out) && !translator.ignores(method)) translator.strays.unknown(method, out);
      }
      return out;
    },
    allowed: (requestId) => asking.answer(requestId, { decision: "allow" }),
    exited: (exit, stderr) => {
      const out: AgentEvent[] = [{ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail: stderr }];
      translator.exited(failures.exit(exit, stderr), out);
      return out;
    },
  };
}

/** With these an earlier conversation is told again. */
const resumes: ReadonlySet<string> = new Set(["session/load", "session/resume"]);
