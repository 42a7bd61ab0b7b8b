/** Translates a recorded ACP stream without an agent. Requests are allowed, and responses are dropped. */
import type { AgentEvent } from "../../src/events/types.ts";
import type { JsonRpc } from "../../src/protocols/json-rpc/index.ts";
import type { RecordedStream, RecordedTranslator, RecordedWire } from "./types.ts";
import { isRecord, record, text, type JsonObject } from "../../src/protocols/json.ts";
import { resumes } from "../../src/protocols/acp/handshake.ts";
import { AcpRequests } from "../../src/protocols/acp/requests.ts";
import { Translator } from "../../src/protocols/acp/translate.ts";
import type { AcpOptions } from "../../src/protocols/acp/types.ts";

type RecordedAgent = Pick<AcpOptions, "name" | "agent" | "quirks" | "failures">;

export function acpWire(agent: RecordedAgent): RecordedWire {
  return {
    name: "ACP",
    recognizes: (message) =>
      isRecord(message) &&
      message["jsonrpc"] === "2.0" &&
      (text(message["method"])?.startsWith("session/") === true || "protocolVersion" in record(message["result"])),
    conversations: (stream) => [conversation(agent, stream)],
  };
}

/** A connection without a peer. */
export const unconnected: JsonRpc = {
  events: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) },
  notify: () => Promise.resolve(),
  request: () => Promise.resolve(),
  respond: () => true,
  refuse: () => true,
  forget: () => undefined,
  say: () => {},
  readUntil: (promise) => promise,
};

function conversation(agent: RecordedAgent, { cwd }: RecordedStream): RecordedTranslator {
  const translator = new Translator({ ...agent, cwd, mode: "ask", resumed: false, prefix: "" });
  const requests = new AcpRequests({ ...agent, rpc: unconnected, translator, cwd });
  /** Methods of pending requests, by id. */
  const waiting = new Map<unknown, string>();
  let asked = 0;

  const answer = (message: JsonObject, out: AgentEvent[]): void => {
    const method = waiting.get(message["id"]);
    waiting.delete(message["id"]);
    if (method === "session/prompt" && translator.running) {
      const { error, result } = message;
      translator.ended(isRecord(error) ? { error: { code: 0, message: "", ...error } } : { result }, out);
      requests.turnEnded();
    } else if (method !== undefined && resumes(method)) translator.replaying = false;
  };

  return {
    begins: ({ dir, message }) => dir === "in" && record(message)["method"] === "session/prompt",
    prompted: () => translator.prompted(),
    sent: (message) => {
      const { id, method } = record(message);
      if (typeof method !== "string") return;
      waiting.set(id, method);
      if (resumes(method)) translator.replaying = true;
      if (method === "session/cancel") translator.cancelling = translator.running;
    },
    said: (message) => {
      const out: AgentEvent[] = [];
      if (!isRecord(message)) translator.unexpected.unknown("what is no JSON-RPC", out);
      else {
        const { id, method, params } = message;
        if (typeof method !== "string") answer(message, out);
        else if (id !== undefined) requests.received({ id: `r${++asked}`, method, params, message }, out);
        else if (method === "session/update") translator.update(record(params)["update"], out);
        else requests.notified(method, params, out);
      }
      return out;
    },
    allowed: (requestId) => requests.answer(requestId, { decision: "allow" }),
    exited: (exit, stderr) => {
      const out: AgentEvent[] = [{ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail: stderr }];
      translator.exited(agent.failures.exit(exit, stderr), out);
      return out;
    },
  };
}
