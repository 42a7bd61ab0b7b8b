/** The first exchange with the app server, and the thread that is to be spoken to. */
import { goneOf, refusalOf } from "../../drivers/json-rpc/index.ts";
import type { JsonRpc } from "../../drivers/json-rpc/index.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { OpenOptions } from "../contract.ts";
import { versionIn } from "../shared/version.ts";
import { exitError } from "./errors-exit.ts";
import { unwanted } from "./ignored.ts";
import { keyProvider } from "./key-provider.ts";
import { program } from "./program.ts";
import { historyItems, threadSettings } from "./settings.ts";

/** The experimental ones are those that plan, ask in every mode, take a history, and end what runs in the background. */
const introduction = {
  clientInfo: { name: "reins", title: "Reins", version: "1" },
  capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted },
};

/** Its version. */
export async function initialize(rpc: JsonRpc, deadlineMs: number): Promise<string | undefined> {
  const answer = record(await asked(rpc, "initialize", introduction, deadlineMs));
  void rpc.notify("initialized");
  return versionIn(text(answer["userAgent"])?.split("/", 2)[1] ?? "");
}

export interface OpenedThread {
  readonly id: string;
  readonly model: string;
  readonly effort: string | undefined;
}

export async function openThread(
  rpc: JsonRpc,
  options: OpenOptions,
  resume: string | undefined,
  deadlineMs: number,
): Promise<OpenedThread> {
  const ask = async (method: string, params: Wire) => record(await asked(rpc, method, params, deadlineMs));
  const [method, more] =
    resume === undefined
      ? // All that goes to and from the model, for the calls that have no item of their own.
        ["thread/start", { experimentalRawEvents: true }]
      : [options.fork === true ? "thread/fork" : "thread/resume", { threadId: resume, excludeTurns: true }];
  const answer = await ask(method, { ...threadSettings(options), ...more });
  const id = text(record(answer["thread"])["id"]);
  if (id === undefined) throw refused("protocol_error", "Codex opened no thread.");
  const { history = [] } = options;
  if (resume === undefined && history.length > 0)
    await ask("thread/inject_items", { threadId: id, items: historyItems(history) });
  return { id, model: text(answer["model"]) ?? options.model ?? "", effort: text(answer["reasoningEffort"]) };
}

/** Before anybody reads: a program that ends here says on stderr what it did not like. */
async function asked(rpc: JsonRpc, method: string, params: Wire, deadlineMs: number): Promise<unknown> {
  try {
    return await rpc.readUntil(rpc.request(method, params, { deadlineMs }));
  } catch (error) {
    const gone = goneOf(error);
    if (gone !== undefined) {
      const info = exitError(gone, gone.stderrTail, false);
      throw new ReinsError(info.code, info.message, { ...info, cause: error });
    }
    throw explained(error);
  }
}

/** A refusal in the words of the error table. */
export function explained(error: unknown): ReinsError {
  const { message: said = "", data } = refusalOf(error) ?? {};
  const provider = text(record(data)["modelProvider"]);
  if (provider !== undefined) return elsewhere(provider, error);
  if (/no rollout found|thread not found|invalid thread id/i.test(said))
    return refused("session_not_found", "Codex does not know this conversation.", error);
  if (/already has an active writer/.test(said))
    return refused("session_busy", "Another Codex works on this conversation; only one can at a time.", error);
  if (/unknown variant/.test(said)) return refused("version_unsupported", `This Codex is too old: ${said}`, error);
  return toReinsError(error);
}

/** A conversation stays with who served it; there is no way to take it elsewhere. */
function elsewhere(provider: string, cause: unknown): ReinsError {
  const how = provider === keyProvider ? "with a key of the environment" : `at ${provider}`;
  return new ReinsError("not_authenticated", `This conversation was begun ${how}, and goes on only there.`, {
    agent: program.id,
    help: "Sign in as before, or start a new session.",
    cause,
  });
}

function refused(
  code: "session_not_found" | "session_busy" | "version_unsupported" | "protocol_error",
  message: string,
  cause?: unknown,
) {
  const help = code === "version_unsupported" ? program.updateHelp : undefined;
  return new ReinsError(code, message, { agent: program.id, help, cause });
}
