/** `agent -p`: one prompt per process. Checks in this order: account, format, trust, prompt, model, chat. */
import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { ModelError, type ChatPart } from "../../agent-loop/index.ts";
import { requireAccount } from "../account.ts";
import type { Arguments } from "../arguments.ts";
import type { Channel } from "../channel.ts";
import { Chat, isChatId, listChats } from "../chats.ts";
import { keepModel } from "../config.ts";
import { usageLimit, wordsOf } from "../failures.ts";
import { usableServers } from "../mcp.ts";
import { currentModel, modelNamed, models, type Model } from "../models.ts";
import { Ending, say } from "../output.ts";
import { Seat, type Mode } from "../seat.ts";
import type { Traps } from "../traps.ts";
import { requireTrust } from "../trust.ts";
import { runTurn, type TurnResult } from "../turn.ts";
import { workspaceOf } from "../workspace.ts";
import { PrintChannel } from "./print-channel.ts";
import { imagesOf, promptOf } from "./prompt.ts";
import { silentChannel } from "./silent-channel.ts";
import { Stream } from "./stream.ts";

export async function print(given: Arguments, traps: Traps): Promise<void> {
  const account = requireAccount(given, traps);
  const format = formatOf(given);
  const cwd = workspaceOf(given);
  requireTrust(cwd, given);
  const prompt = await promptOf(given);
  const images = imagesOf(given);
  const model = modelOf(given);
  const chat = new Chat(chatIdOf(given, cwd), cwd);
  const stream = new Stream(chat.id, traps);
  const endpoint = given.value("endpoint") ?? process.env["CURSOR_API_ENDPOINT"] ?? "";
  const force = given.is.has("force");
  const partial = given.is.has("partial");
  const channel: Channel =
    format === "stream-json"
      ? new PrintChannel({ stream, traps, cwd, partial, force, endpoint })
      : silentChannel(force, endpoint);
  const servers = usableServers(cwd, given.values("pluginDir"), given.is.has("approveMcps"));
  const seat = new Seat({ given, traps, account, chat, mode: modeOf(given), model, kind: "print", channel, servers });
  const startedAt = Date.now();
  if (format === "stream-json") {
    stream.init(cwd, model.label, account.source);
    stream.prompted(prompt);
  }
  if (traps.usageLimit) throw new Ending(1, usageLimit);
  const tell = (turn: TurnResult, subtype?: string): void => {
    const text = turn.refused ?? turn.texts.join("");
    const end = { text, requestId: turn.requestId, usage: turn.usage, startedAt };
    if (format === "text") say(turn.refused ?? turn.texts.at(-1) ?? "");
    else if (format === "json") say(JSON.stringify(stream.resultOf(end, subtype)));
    else stream.result(end, subtype);
  };
  await run(seat, [{ type: "text", text: prompt }, ...images], tell);
  if (traps.leavesWorker) spawn("sleep", ["1000"], { stdio: "inherit" }).unref();
  if (traps.hangAfterResult) await new Promise(() => setInterval(() => undefined, 60_000));
  // With the prompt on the command line some versions exit only when stdin ends.
  if (traps.openStdin && given.words.length > 0) for await (const _ of process.stdin);
}

async function run(seat: Seat, prompt: ChatPart[], tell: (turn: TurnResult, subtype?: string) => void): Promise<void> {
  const stop = new AbortController();
  let signalled: "SIGINT" | "SIGTERM" | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      signalled ??= signal;
      stop.abort();
    });
  try {
    tell(await runTurn(seat, prompt, stop.signal));
    await seat.close("completed");
  } catch (thrown) {
    seat.terminal.end();
    await seat.close(signalled === undefined ? "error" : "aborted");
    const old = seat.traps.oldShape ? ({ requestId: "", texts: [], stop: "end", usage: noUsage } as const) : undefined;
    if (signalled !== undefined) {
      if (old !== undefined) tell(old, "cancelled");
      throw new Ending(signalled === "SIGINT" ? 130 : 143, signalled === "SIGINT" ? "Aborting operation..." : "");
    }
    if (!(thrown instanceof ModelError)) throw thrown;
    if (old !== undefined) tell({ ...old, refused: wordsOf(thrown) }, "error");
    throw new Ending(1, wordsOf(thrown));
  }
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function formatOf(given: Arguments): "text" | "json" | "stream-json" {
  const format = given.value("outputFormat") ?? "text";
  if (format === "text" || format === "json" || format === "stream-json") return format;
  throw new Ending(1, `Error: Invalid output format: ${format}. Valid formats: text, json, stream-json`);
}

function modeOf(given: Arguments): Mode {
  const mode = given.value("mode") ?? (given.is.has("plan") ? "plan" : "agent");
  if (mode === "agent" || mode === "ask" || mode === "plan") return mode;
  throw new Ending(1, `error: option '--mode <mode>' argument '${mode}' is invalid. Allowed choices are plan, ask.`);
}

/** The chosen model is saved for later runs. */
export function modelOf(given: Arguments): Model {
  const name = given.value("model");
  if (name === undefined) return currentModel();
  const model = modelNamed(name);
  const all = models.map(({ slug }) => slug).join(", ");
  if (model === undefined) throw new Ending(1, `Cannot use this model: ${name}. Available models: ${all}`);
  keepModel(model.slug);
  return model;
}

/** An unknown id creates a new chat with that id. */
function chatIdOf(given: Arguments, cwd: string): string {
  const wanted = given.is.has("continue") ? "-1" : given.value("resume");
  if (wanted === undefined) return randomUUID();
  if (wanted === "") throw new Ending(1, "Raw mode is not supported on the current process.stdin");
  if (/^-\d+$/.test(wanted)) {
    const chat = listChats(cwd)[-Number(wanted) - 1];
    if (chat === undefined) throw new Ending(1, "No previous chats found.");
    return chat.id;
  }
  if (isChatId(wanted)) return wanted;
  const why = "Persistent-session chat ID must be a UUID";
  throw new Ending(1, `Failed to claim persistent session for chat "${wanted}": ${why}`);
}
