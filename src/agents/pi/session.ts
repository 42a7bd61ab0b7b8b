/** One conversation with one pi process. */
import { goneOf, openStreamJson, refusalOf } from "../../protocols/stream-json/index.ts";
import type { StreamJson } from "../../protocols/stream-json/index.ts";
import { list, number, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { longestMs } from "../../events/deadlines.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import type { PrivateFiles } from "../shared/program/private-files.ts";
import { unsupportedVersion } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { encodeState, lost } from "./history.ts";
import { findModel, modelName } from "./models.ts";
import { program } from "./program.ts";
import { dialect, Incoming } from "./translate-turns.ts";
import { statsReading } from "./usage.ts";

export interface SessionParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly child: Child;
  readonly files: PrivateFiles;
  readonly title: string;
  /** Of the person, and of pi in it. */
  readonly home: string;
  readonly folder: string;
}

/** A command of pi's own screen, which its rpc mode has as a request. */
const compactCommand = /^\/compact(?:\s+([\s\S]+))?$/;

export class PiSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #context: AgentContext;
  readonly #options: OpenOptions;
  readonly #child: Child;
  readonly #folder: string;
  readonly #stream: StreamJson;
  readonly #incoming: Incoming;
  /** The conversation's file, and the model in use. */
  #file: string | undefined;
  #model: string | undefined;
  #prompts = 0;
  /** A prompt is being made ready to be sent; aborted by a cancel. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;
  /** Nothing is left of it, whoever ended it. */
  readonly #cleaned: Promise<void>;

  constructor({ context, options, child, files, title, home, folder }: SessionParts) {
    this.#context = context;
    this.#options = options;
    this.#child = child;
    this.#folder = folder;
    this.#incoming = new Incoming({
      ...options,
      home,
      title,
      prefix: `${title.slice(0, 8)}-${child.pid}-`,
      respond: (id, answer) => (answer === undefined ? this.#stream.refuse(id, "") : this.#stream.respond(id, answer)),
      say: (events) => this.#stream.say(events),
      stop: () => {
        this.#incoming.translator.cancel();
        this.#abort();
      },
      stopRetrying: () => this.#tell("abort_retry"),
      cancelAgain: () => this.#abort(),
      kill: () => void child.stop({ politely: false }),
    });
    this.#stream = openStreamJson({
      child,
      name: "pi",
      agent: "pi",
      dialect,
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: (message) => this.#incoming.message(message),
      onRequest: (request) => this.#incoming.request(request),
      onWithdrawn: () => [],
      onExit: (exit, stderrTail) => this.#incoming.exited(exit, stderrTail),
    });
    this.events = this.#stream.events;
    this.#cleaned = child.exited.then(() => files.remove());
  }

  /** Nothing can be resumed before the first prompt: the program writes nothing down until then. */
  get state(): string | undefined {
    const known = this.#prompts > 0 || (this.#options.state !== undefined && this.#options.fork !== true);
    return known && this.#file !== undefined ? encodeState(this.#file, this.#folder) : undefined;
  }

  /** From the start of the process until it can take a prompt. */
  async open(): Promise<void> {
    const { cwd, mode, state: resume } = this.#options;
    const state = await initialize(this.#stream, this.#incoming, this.#context.deadlines.start);
    this.#file = text(state["sessionFile"]);
    this.#uses(record(state["model"]));
    const resumed = resume !== undefined;
    // One that is missing, pi makes up.
    if (resumed && state["messageCount"] === 0) throw lost();
    if (resumed) this.#incoming.translator.usage.resumed(statsReading(await this.#ask("get_session_stats")));
    const tools = [...(this.#incoming.holds ?? [])];
    this.#stream.say([
      { type: "session.started", model: this.#model, mode, cwd, tools, resumed, state: this.state },
      { type: "session.updated", commands: await this.#commands(), by: "agent" },
    ]);
  }

  async prompt(input: PromptInput): Promise<void> {
    const { translator } = this.#incoming;
    if (this.#closing !== undefined) throw refused("invalid_input", "The session is closed.");
    if (this.#incoming.gone) throw refused("agent_crashed", "pi has ended.");
    // A turn that an extension just began does not count: it works this off after it, and nobody has heard of that turn yet.
    if (translator.prompted || this.#sending !== undefined)
      throw refused("session_busy", "pi is already working on a prompt.");
    const sending = (this.#sending = new AbortController());
    try {
      const message = await this.#messageOf(input);
      if (sending.signal.aborted) throw refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#incoming.names.prompted();
      translator.promptSent();
      const compact = message.images === undefined ? compactCommand.exec(message.message) : null;
      if (compact === null) await this.#send(message);
      else void this.#compact(compact[1]);
    } finally {
      this.#sending = undefined;
    }
  }

  /** pi takes it in after the tools that run now, or right after its answer. */
  async steer(input: PromptInput): Promise<void> {
    const message = await this.#messageOf(input);
    const { translator } = this.#incoming;
    const nothingRuns = () => refused("invalid_input", "No turn is running that this could go into.");
    if (!translator.running) throw nothingRuns();
    await this.#stream.request("steer", message);
    if (translator.running || translator.queued === 0) return;
    // The turn ended in the same moment: left in the queue, it would go into whatever comes next.
    await this.#stream.request("clear_queue");
    throw nothingRuns();
  }

  answer(requestId: string, answer: Answer): void {
    this.#incoming.permissions.answer(requestId, answer);
  }

  /** How much it may do is held by Reins alone; pi has no modes. */
  async configure({ model }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model === undefined) return;
    const available = record(await this.#stream.request("get_available_models"))["models"];
    const found = findModel(model, available, this.#model);
    if (found === undefined) {
      const help = "Name it with its service, such as anthropic/claude-opus-5-5.";
      throw new ReinsError("model_unknown", `pi has no model ${model}, or several of that name.`, {
        agent: "pi",
        help,
      });
    }
    const { provider, id: modelId } = found.model;
    this.#uses(record(await this.#stream.request("set_model", { provider, modelId })));
    if (found.level !== undefined) await this.#stream.request("set_thinking_level", { level: found.level });
  }

  /** Only asks for it: the end of the turn comes as an event, and the core stops a program that does not care. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    this.#incoming.translator.cancel();
    if (this.#incoming.translator.running) this.#abort();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#incoming.gone) this.#abort();
    await this.#child.stop({ politely: true });
    await this.#cleaned;
  }

  /** What was sent into the turn and has not begun would be begun after an abort. */
  #abort(): void {
    this.#tell("clear_queue");
    this.#tell("abort");
  }

  /** An answer is not waited for. */
  #tell(command: string): void {
    this.#stream.request(command, {}, longestMs).catch(() => {});
  }

  #ask(command: string): Promise<unknown> {
    return this.#stream.readUntil(this.#stream.request(command));
  }

  #uses(model: JsonObject): void {
    this.#model = modelName(model) ?? this.#model;
    this.#incoming.translator.usage.contextSize = number(model["contextWindow"]);
  }

  /** Those of its extensions, templates and skills, and the one of its own that works here. */
  async #commands(): Promise<{ name: string; description?: string }[]> {
    const known = list(record(await this.#ask("get_commands"))["commands"]).flatMap((item) => {
      const [name, description] = [text(record(item)["name"]), text(record(item)["description"])];
      return name === undefined ? [] : [description === undefined ? { name } : { name, description }];
    });
    return [...known, { name: "compact", description: "Sum up the conversation so far to make room." }];
  }

  /** The person's own text comes first: only there does pi look for commands and templates. */
  async #messageOf(input: PromptInput): Promise<{ message: string; images?: object[] }> {
    const { texts, images } = await attachedTo(input, this.#options.cwd, this.#context.limits.promptBytes);
    const message = [input.text, ...texts].filter((part) => part.trim() !== "").join("\n\n");
    if (images.length === 0) return { message };
    return { message, images: images.map(({ mediaType, data }) => ({ type: "image", data, mimeType: mediaType })) };
  }

  /** It is taken when pi says so, which may take as long as summing up the conversation takes. */
  async #send(message: object): Promise<void> {
    const { translator } = this.#incoming;
    try {
      await this.#stream.request("prompt", { ...message, streamingBehavior: "followUp" }, longestMs);
    } catch (error) {
      translator.promptRefused();
      const said = refusalOf(error)?.message;
      if (said === undefined) throw error;
      const { code, message: why, help } = failures.error({ text: said });
      throw new ReinsError(code, why, { agent: "pi", help, cause: error });
    }
    translator.promptAccepted();
    void this.#endIfIdle();
  }

  /** Some prompts are done without the model, and then nothing else tells that. */
  async #endIfIdle(): Promise<void> {
    const { translator } = this.#incoming;
    const state = record(await this.#stream.request("get_state").catch(() => ({ isStreaming: true })));
    if (state["isStreaming"] === false) this.#stream.say(this.#incoming.ended(translator.isIdle()));
  }

  async #compact(customInstructions: string | undefined): Promise<void> {
    const { translator } = this.#incoming;
    const error = await this.#stream.request("compact", { customInstructions }, longestMs).then(
      () => undefined,
      (thrown: unknown) => failures.info("invalid_input", refusalOf(thrown)?.message ?? String(thrown)),
    );
    this.#stream.say(this.#incoming.ended(translator.commandEnded(translator.cancelling ? undefined : error)));
  }
}

function refused(code: ErrorCode, message: string): ReinsError {
  return new ReinsError(code, message, { agent: "pi" });
}

/** The first exchange shows that the program is ready, new enough, and held by our extension. Returns its model and its conversation's file. */
async function initialize(stream: StreamJson, incoming: Incoming, deadlineMs: number): Promise<JsonObject> {
  const explain = (error: unknown): never => {
    const gone = goneOf(error);
    const { onlyGarbage } = incoming.translator;
    if (gone === undefined) throw onlyGarbage && toReinsError(error).code === "agent_hung" ? notPi(error) : error;
    // A program that ends here says on stderr what it did not like.
    const info = failures.exit(gone, gone.stderrTail, onlyGarbage);
    throw new ReinsError(info.code, info.message, { ...info, cause: error });
  };
  // pi does not look at the title; whoever plays a recording of this wire finds there which one was meant.
  const asked = stream.request("get_state", { title: incoming.title }, deadlineMs);
  const state = record(await stream.readUntil(asked).catch(explain));
  if (incoming.holds === undefined)
    throw new ReinsError("protocol_error", "pi does not let Reins hold its tools.", { agent: "pi" });
  await stream.readUntil(stream.request("clear_queue")).catch((error: unknown) => {
    if (goneOf(error) !== undefined) return explain(error);
    throw unsupportedVersion(program, undefined, error);
  });
  return state;
}

/** It is still there, and whatever it prints is no answer. */
function notPi(cause: unknown): ReinsError {
  return new ReinsError("protocol_error", "pi printed something that is not its protocol, and no answer.", {
    agent: "pi",
    help: "Check that the command is really pi.",
    cause,
  });
}
