/** Feeds recorded streams of each agent to its translator, for `npm run translate`. ACP streams are understood for every agent. */
import type { AgentEvent } from "../../src/events/types.ts";
import type { Exit } from "../../src/process/types.ts";
import { acpWire } from "./acp-wire.ts";
import type { AcpAgentOptions } from "../../src/protocols/acp/index.ts";
import type { Classifier } from "../../src/protocols/failure.ts";
import { isRecord, record, text, type JsonObject } from "../../src/protocols/json.ts";
import type { RecordedStream, RecordedTranslator, RecordedWire } from "./types.ts";
import type { AgentEntry } from "../../src/agents/contract.ts";
import { acpFailures } from "../../src/agents/shared/acp/failures.ts";

const options = { mode: "ask", prefix: "" } as const;

type Entry = Pick<AgentEntry, "id" | "name">;

export const recordedWires: Readonly<Record<string, (entry: Entry) => Promise<RecordedWire | RecordedWire[]>>> = {
  acp: async (entry) => acp(entry),
  claude: async () => {
    const { Translator } = await import("../../src/agents/claude/translate.ts");
    return streamJson((cwd) => new Translator({ ...options, cwd, resumed: false }));
  },
  "claude-acp": async (entry) => {
    const { quirksWith } = await import("../../src/agents/claude-acp/options.ts");
    const { failures } = await import("../../src/agents/claude-acp/failures.ts");
    return acp(entry, quirksWith({ sessionId: "", cwd: "/", mode: "ask" }), failures);
  },
  codex,
  copilot: async (entry) => {
    const { quirksWith } = await import("../../src/agents/copilot/translate.ts");
    const { failures } = await import("../../src/agents/copilot/failures.ts");
    return acp(entry, quirksWith([], []), failures);
  },
  cursor,
  gemini: async (entry) => {
    const { quirks } = await import("../../src/agents/gemini/translate.ts");
    const { failures } = await import("../../src/agents/gemini/failures.ts");
    return acp(entry, quirks(), failures);
  },
  opencode,
  pi,
  qwen: async () => {
    const { Translator } = await import("../../src/agents/qwen/translate.ts");
    return streamJson((cwd) => {
      const translator = new Translator({ ...options, cwd, resumed: false });
      return {
        prompted: () => translator.prompted(),
        // The hook relay of Reins adds these lines, and the session counts them.
        translate: (message) => (record(message)["type"] === "request_failed" ? [] : translator.translate(message)),
        exited: (exit, stderr) => translator.exited(exit, stderr),
      };
    });
  },
};

export function acp({ id, name }: Entry, quirks: AcpAgentOptions = {}, failures?: Classifier): RecordedWire {
  return acpWire({ name, agent: id, quirks, failures: failures ?? acpFailures({ agent: id, name }) });
}

interface StreamJsonTranslator {
  prompted(): void;
  translate(message: unknown): readonly AgentEvent[];
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[];
}

/** Agents with the protocol of Claude Code: a prompt is a message of type `user`. */
function streamJson(translatorIn: (cwd: string) => StreamJsonTranslator): RecordedWire {
  const kinds: ReadonlySet<unknown> = new Set(["system", "assistant", "result", "stream_event", "control_response"]);
  return {
    name: "stream-json",
    recognizes: (message) => kinds.has(record(message)["type"]),
    conversations: ({ cwd }) => {
      const translator = translatorIn(cwd);
      return [
        {
          begins: ({ dir, message }) => dir === "in" && record(message)["type"] === "user",
          prompted: () => translator.prompted(),
          said: (message) => translator.translate(message),
          exited: (exit, stderr) => translator.exited(exit, stderr),
        },
      ];
    },
  };
}

/** The app server, which may have several threads in one stream. Threads without a prompt are subagents. */
async function codex(): Promise<RecordedWire> {
  const { Translator } = await import("../../src/agents/codex/translate.ts");
  const isStart = (message: unknown): boolean => record(message)["method"] === "turn/started";
  const threadOf = (message: unknown): string => text(record(record(message)["params"])["threadId"]) ?? "";
  const conversation = (thread: string, cwd: string): RecordedTranslator => {
    const translator = new Translator({ ...options, cwd, fresh: true });
    translator.opened(thread);
    return {
      begins: ({ dir, message }) => dir === "out" && isStart(message) && threadOf(message) === thread,
      prompted: () => translator.prompted(),
      said: (message) => {
        const { method, params, id } = record(message);
        // Skip answers and requests; only notifications are translated.
        return typeof method !== "string" || id !== undefined ? [] : translator.notification(method, params, message);
      },
      exited: (exit, stderr) => translator.exited(exit, stderr),
    };
  };
  return {
    name: "app server",
    recognizes: (message) => /^(?:thread|turn|item)\//.test(text(record(message)["method"]) ?? ""),
    conversations: ({ messages, cwd }) => {
      const started = messages.filter(({ message }) => isStart(message));
      return [...new Set(started.map(({ message }) => threadOf(message)))].map((thread) => conversation(thread, cwd));
    },
  };
}

/** ACP, and `-p --output-format stream-json`, where each prompt is a process and a file may hold several outputs in a row. */
async function cursor(entry: Entry): Promise<RecordedWire[]> {
  const { quirksWith } = await import("../../src/agents/cursor/acp/options.ts");
  const { PrintTranslator } = await import("../../src/agents/cursor/print/translate.ts");
  const { failures } = await import("../../src/agents/cursor/failures.ts");
  const kinds = /^(?:system|user|assistant|thinking|tool_call|tool|interaction_query|connection|retry|result)$/;
  const print: RecordedWire = {
    name: "stream-json",
    recognizes: (message) => kinds.test(text(record(message)["type"]) ?? ""),
    conversations: ({ cwd }) => {
      const fresh = () => new PrintTranslator({ cwd, onChat: () => [] });
      let translator = fresh();
      return [
        {
          begins: ({ message }) => record(message)["type"] === "system" && record(message)["subtype"] === "init",
          prompted: () => void (translator = fresh()),
          said: (message) => translator.translate(message),
          exited: (exit, stderr) => translator.exited(exit, stderr),
        },
      ];
    },
  };
  return [acp(entry, quirksWith(), failures), print];
}

/** The server's events, alone or among the requests that Reins records. Sessions with a parent are subagents. */
async function opencode(): Promise<RecordedWire> {
  const { Translator } = await import("../../src/agents/opencode/translate.ts");
  const eventIn = (message: unknown): JsonObject => {
    const { method, params, properties } = record(message);
    if (method === "event") return record(params);
    return isRecord(properties) ? record(message) : record(undefined);
  };
  const promptedIn = (message: unknown): string | undefined =>
    /^POST \/session\/(ses_\w+)\/(?:prompt_async|summarize)$/.exec(text(record(message)["method"]) ?? "")?.[1];
  const sessionsIn = ({ messages }: RecordedStream): string[] =>
    messages.flatMap(({ message }) => {
      const info = record(record(eventIn(message)["properties"])["info"]);
      const id = text(info["id"]) ?? "";
      const own = id.startsWith("ses_") && info["parentID"] === undefined ? [id] : [];
      return [...own, promptedIn(message) ?? []].flat();
    });
  const conversation = (session: string, cwd: string): RecordedTranslator => {
    const translator = new Translator({ session, cwd, servers: new Set(), abort: () => {} });
    return {
      begins: ({ dir, message }) => dir === "in" && promptedIn(message) === session,
      // Without the requests, turns are recognised by their messages.
      unprompted: true,
      sent: (message) => (promptedIn(message) === session ? translator.turns.sent() : undefined),
      said: (message) => {
        const event = eventIn(message);
        // Permissions and questions do not go through the translator.
        if (/^(?:permission|question)\.|^$/.test(text(event["type"]) ?? "")) return [];
        return [...translator.translate(event), ...translator.ended()];
      },
      exited: (exit, stderr) => translator.exited(exit, stderr),
    };
  };
  return {
    name: "server events",
    recognizes: (message) => text(eventIn(message)["type"]) !== undefined,
    conversations: (stream) => [...new Set(sessionsIn(stream))].map((session) => conversation(session, stream.cwd)),
  };
}

async function pi(): Promise<RecordedWire> {
  const { Translator } = await import("../../src/agents/pi/translate.ts");
  const kinds: ReadonlySet<unknown> = new Set([
    "agent_start",
    "turn_start",
    "message_start",
    "message_update",
    "response",
  ]);
  const notTranslated: ReadonlySet<unknown> = new Set(["response", "extension_ui_request"]);
  return {
    name: "its events",
    recognizes: (message) => kinds.has(record(message)["type"]),
    conversations: ({ cwd }) => {
      const translator = new Translator({ cwd, home: "/", prefix: "" });
      return [
        {
          begins: ({ dir, message }) => dir === "out" && record(message)["type"] === "agent_start",
          prompted: () => {
            translator.promptSent();
            translator.promptAccepted();
          },
          said: (message) => (notTranslated.has(record(message)["type"]) ? [] : translator.translate(message)),
          exited: (exit, stderr) => translator.exited(exit, stderr),
        },
      ];
    },
  };
}
