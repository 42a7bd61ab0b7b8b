/** A turn of a conversation, on any channel. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  runLoop,
  tasks,
  textOf,
  type ChatMessage,
  type ChatPart,
  type LoopOptions,
  type LoopResult,
  type Tasks,
} from "../agent-loop/index.ts";
import { readText } from "./files.ts";
import type { Seat } from "./seat.ts";
import { toolsOf } from "./tools.ts";
import { useTool } from "./use-tool.ts";

export interface TurnResult extends LoopResult {
  readonly requestId: string;
  /** A hook blocked the prompt. */
  readonly refused?: string | undefined;
}

/** Throws a ModelError, and the signal's reason when aborted. */
export async function runTurn(seat: Seat, prompt: readonly ChatPart[], signal: AbortSignal): Promise<TurnResult> {
  const { chat, hooks, transcript } = seat;
  const requestId = randomUUID();
  hooks.generation = requestId;
  await begin(seat);
  const words = prompt.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const submitted = await hooks.fire("beforeSubmitPrompt", "UserPromptSubmit", { prompt: words, attachments: [] });
  const refusal = submitted.outputs.find(({ continue: goesOn }) => goesOn === false);
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  if (refusal !== undefined || submitted.permission === "deny") {
    const refused = textOf(refusal?.["user_message"]) || submitted.message || "A hook blocked the prompt.";
    return { texts: [], stop: "end", usage, requestId, refused };
  }
  chat.messages.push({ role: "user", content: prompt });
  chat.keep();
  transcript.said("user", words);
  const messages: ChatMessage[] = [{ role: "system", content: instructionsOf(seat) }, ...chat.messages];
  let status: "completed" | "aborted" | "error" = "error";
  try {
    const result = await runLoop(loopOptions(seat, messages, requestId, signal));
    status = "completed";
    return { ...result, requestId };
  } catch (thrown) {
    if (signal.aborted) status = "aborted";
    throw thrown;
  } finally {
    chat.messages.splice(0, Infinity, ...messages.slice(1));
    chat.keep();
    transcript.ended(status);
    if (status !== "completed") await hooks.fire("stop", "Stop", { status, loop_count: 0 });
  }
}

async function begin(seat: Seat): Promise<void> {
  const { hooks, chat, mode, traps } = seat;
  if (seat.context === undefined) {
    const composer_mode = mode === "ask" ? "ask" : "agent";
    const told = { session_id: chat.id, is_background_agent: false, composer_mode };
    const { outputs } = await hooks.fire("sessionStart", "", told);
    hooks.addEnvironment(outputs);
    seat.context = outputs.map((output) => textOf(output["additional_context"])).filter((text) => text !== "");
  }
  if (!traps.compacts) return;
  // The real program reports only zeros for the context usage.
  const empty = { context_usage_percent: 0, context_tokens: 0, context_window_size: 0 };
  const count = chat.messages.length;
  const told = { trigger: "auto", ...empty, message_count: count, messages_to_compact: Math.max(0, count - 3) };
  await hooks.fire("preCompact", "auto", { ...told, is_first_compaction: true });
}

function instructionsOf({ cwd, roots, context = [] }: Seat): string {
  const rules = ["AGENTS.md", "CLAUDE.md"].map((name) => readText(join(cwd, name)) ?? "");
  const where = `You are a coding agent. The workspace is ${roots.join(", ")}.`;
  return [where, ...rules, ...context].filter((text) => text !== "").join("\n\n");
}

function loopOptions(seat: Seat, messages: ChatMessage[], requestId: string, signal: AbortSignal): LoopOptions {
  const { channel, hooks, transcript, traps, given } = seat;
  const endpoint = given.value("endpoint") ?? process.env["CURSOR_API_ENDPOINT"] ?? "https://api2.cursor.sh";
  let answers = 0;
  let modelCallId = "";
  let thinks = false;
  const common = {
    modelUrl: endpoint.replace(/(?:\/v1)?\/*$/, ""),
    key: seat.account.key,
    model: seat.model.slug,
    cwd: seat.cwd,
    headers: headersOf(given.values("header")),
    retries: traps.retries,
    retryDelayMs: traps.retryDelayMs,
    signal,
  };
  /** The use of an unknown tool is reported to its model only. */
  const using =
    (nested: boolean): NonNullable<LoopOptions["useTool"]> =>
    (call, run) =>
      tools.some(({ name }) => name === call.name) ? useTool(seat, call, run, { modelCallId, nested }) : run();
  const subagents = tasks(() => ({ ...common, tools: toolsOf(seat), useTool: using(true) }));
  const tools = [...toolsOf(seat), subagents.tool];
  const further = furtherWords(seat, subagents, signal);
  return {
    ...common,
    conversation: seat.chat.id,
    messages,
    tools,
    onRetry: (attempt, error) => channel.retrying(attempt, error),
    onThought(piece) {
      thinks = true;
      channel.thought(piece);
    },
    onText(piece) {
      if (thinks) channel.thoughtEnded();
      thinks = false;
      channel.text(piece);
    },
    async onAnswer({ text, thought, calls }) {
      modelCallId = `${requestId}-${answers++}-${requestId.slice(0, 4)}`;
      if (thinks) channel.thoughtEnded();
      thinks = false;
      seat.lastSaid = text;
      transcript.said("assistant", text);
      if (text !== "") channel.textEnded(text, modelCallId, calls.length === 0 && !further.isComing());
      if (thought !== "") await hooks.fire("afterAgentThought", "AgentThought", { text: thought, duration_ms: 1 });
      if (text !== "") await hooks.fire("afterAgentResponse", "AgentResponse", { text });
    },
    useTool: using(false),
    furtherWords: further.next,
  };
}

/** The next message to the model after its last text: background work has ended, or a hook's follow-up. */
function furtherWords({ terminal, hooks, channel }: Seat, subagents: Tasks, signal: AbortSignal) {
  let loops = 0;
  const isComing = (): boolean => terminal.background.length + subagents.background.length > 0;
  const next = async (): Promise<string | undefined> => {
    const command = terminal.background.shift();
    const subagent = command === undefined ? subagents.background.shift() : undefined;
    const ended = command?.ended.then(({ exitCode, output }) => `${output}\nExit code: ${exitCode}`);
    const told = subagent?.ended.then(({ texts }) => texts.at(-1) ?? "");
    const id = command?.id ?? subagent?.id;
    if (id !== undefined) {
      const words = await Promise.race([aborted(signal), (ended ?? told)!]);
      channel.notified(id, words);
      return `<task-notification>\n${words}\n</task-notification>`;
    }
    const { outputs } = await hooks.fire("stop", "Stop", { status: "completed", loop_count: loops });
    const message = outputs.map((output) => textOf(output["followup_message"])).find((text) => text !== "");
    return message !== undefined && loops++ < hooks.loopLimit("stop") ? message : undefined;
  };
  return { isComing, next };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.split(":")[0]!.trim(), line.split(/:(.*)/s)[1]?.trim() ?? ""]));
}
