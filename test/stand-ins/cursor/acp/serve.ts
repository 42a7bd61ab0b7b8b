/** The command `agent acp`. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { textOf, type Fields } from "../../agent-loop/index.ts";
import { accountOf, type Account } from "../account.ts";
import type { Arguments } from "../arguments.ts";
import { Chat, hasConversation, listChats } from "../chats.ts";
import { models } from "../models.ts";
import { Ending } from "../output.ts";
import { modelOf } from "../print/print.ts";
import { Seat, type Mode } from "../seat.ts";
import type { Traps } from "../traps.ts";
import { AcpChannel } from "./acp-channel.ts";
import { replay } from "./replay.ts";
import { invalidParams, Rpc, RpcProblem } from "./rpc.ts";
import { AcpSession, serversIn } from "./session.ts";
import { availableModels, configOptions, modes, settingsOf } from "./settings.ts";

const agentCapabilities = {
  loadSession: true,
  mcpCapabilities: { http: true, sse: true },
  promptCapabilities: { audio: false, embeddedContext: false, image: true },
  sessionCapabilities: { list: {} },
};

const authMethods = [{ id: "cursor_login", name: "Cursor Login", description: "Sign in with a Cursor account" }];

export async function serveAcp(given: Arguments, traps: Traps): Promise<void> {
  const sessions = new Map<string, AcpSession>();
  const model = modelOf(given);
  const account = (): Account => {
    const found = accountOf(given);
    if (found === undefined || traps.badKey) throw new RpcProblem(-32000, "Authentication required");
    return found;
  };
  const find = (params: Fields): AcpSession => {
    const id = textOf(params["sessionId"]);
    const session = sessions.get(id);
    if (session === undefined) throw invalidParams(`Session "${id}" not found`);
    return session;
  };
  const open = (id: string, params: Fields): { session: AcpSession; channel: AcpChannel } => {
    const cwd = folderIn(params);
    const channel: AcpChannel = new AcpChannel({ rpc, traps, session: id, cwd, model: () => seat.model.slug });
    const servers = serversIn(cwd, params, given.values("pluginDir"));
    const chat = new Chat(id, cwd);
    const kind = { kind: "acp", mode: "agent", model, channel, servers } as const;
    const seat = new Seat({ given, traps, account: account(), chat, ...kind });
    const session = new AcpSession(seat, channel);
    sessions.set(id, session);
    return { session, channel };
  };
  const announce = (channel: AcpChannel): void =>
    channel.update("available_commands_update", {
      availableCommands: [{ name: "compress", description: "Summarize the conversation so far" }],
    });
  const rpc = new Rpc({
    initialize: () => ({ protocolVersion: 1, agentCapabilities, authMethods }),
    authenticate({ methodId }) {
      if (methodId !== "cursor_login") throw invalidParams(`Unknown auth method: ${textOf(methodId)}`);
      account();
    },
    "session/new"(params) {
      account();
      const { session, channel } = open(randomUUID(), params);
      setImmediate(() => announce(channel));
      return { sessionId: session.seat.chat.id, ...settingsOf("agent", model) };
    },
    "session/load"(params) {
      account();
      const id = textOf(params["sessionId"]);
      if (!hasConversation(folderIn(params), id)) throw invalidParams(`Session "${id}" not found`);
      const { session, channel } = open(id, params);
      replay(session.seat.chat.messages, channel);
      setImmediate(() => announce(channel));
      return settingsOf("agent", model);
    },
    "session/list"({ cwd }) {
      const chats = listChats(textOf(cwd) || process.cwd()).filter((chat) => chat.hasConversation);
      const told = chats.map(({ id, cwd: folder, title, updatedAt }) => ({
        sessionId: id,
        cwd: folder,
        title,
        updatedAt: new Date(updatedAt).toISOString(),
      }));
      return { sessions: told };
    },
    "session/prompt": (params) => find(params).prompt(params),
    "session/cancel": (params) => find(params).cancel(),
    "session/set_mode": (params) => setMode(find(params), textOf(params["modeId"])),
    "session/set_model": (params) => setModel(find(params), textOf(params["modelId"])),
    "session/set_config_option"(params) {
      const session = find(params);
      const value = textOf(params["value"]);
      if (params["configId"] === "mode") setMode(session, value);
      else if (params["configId"] === "model") setModel(session, value);
      else throw invalidParams(`Unknown config option: ${textOf(params["configId"])}`);
      return { configOptions: configOptions(session.seat.mode, session.seat.model) };
    },
    "cursor/list_available_models": availableModels,
  });
  const closeAll = (reason: string) => Promise.all([...sessions.values()].map((session) => session.close(reason)));
  const ended = new Promise<never>((_resolve, reject) => {
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)
      process.on(signal, () => void closeAll("aborted").then(() => reject(new Ending(code))));
  });
  await Promise.race([rpc.serve(), ended]);
  await closeAll("user_close");
}

function folderIn({ cwd, mcpServers }: Fields): string {
  if (!Array.isArray(mcpServers)) {
    const problem = { code: "invalid_type", expected: "array", path: ["mcpServers"], message: "Required" };
    throw new RpcProblem(-32603, "Internal error", [problem]);
  }
  try {
    return realpathSync(textOf(cwd));
  } catch {
    throw invalidParams(`No such folder: ${textOf(cwd)}`);
  }
}

function setMode({ seat }: AcpSession, id: string): void {
  const mode = modes.find((one) => one.id === id)?.id satisfies Mode | undefined;
  if (mode === undefined) throw invalidParams(`Unknown mode: ${id}`);
  seat.mode = mode;
}

function setModel({ seat }: AcpSession, id: string): void {
  const model = models.find(({ spelled }) => spelled === id);
  if (model === undefined) throw invalidParams(`Invalid model value: ${id}`);
  seat.model = model;
}
