import { longestMs } from "../../events/deadlines.ts";
import { ReinsError } from "../../events/errors.ts";
import { list, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { goneOf, refusalOf, type StreamJson } from "../../protocols/stream-json/index.ts";
import type { PromptInput } from "../contract.ts";
import { explainStart } from "../shared/program/ask-program.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import type { PrivateFiles } from "../shared/program/private-files.ts";
import { unsupportedVersion } from "../shared/program/program.ts";
import { StreamJsonSession, type StreamJsonParts } from "../shared/stream-json-session.ts";
import { failures } from "./failures.ts";
import { encodeState, lost } from "./history.ts";
import { findModel, modelName } from "./models.ts";
import { program } from "./program.ts";
import { dialect, Incoming } from "./translate-turns.ts";
import { statsReading } from "./usage.ts";

export interface SessionParts extends StreamJsonParts {
  readonly files: PrivateFiles;
  readonly title: string;
  /** The home folder of the user, and pi's folder in it. */
  readonly home: string;
  readonly folder: string;
}

interface Message {
  readonly message: string;
  readonly images?: readonly object[] | undefined;
}

/** A command of pi's own screen that its rpc mode has as a request. */
const compactCommand = /^\/compact(?:\s+([\s\S]+))?$/;

export class PiSession extends StreamJsonSession<Message> {
  protected readonly incoming: Incoming;
  readonly #files: PrivateFiles;
  readonly #title: string;
  readonly #folder: string;
  /** The conversation's file, and the model in use. */
  #file: string | undefined;
  #model: string | undefined;

  constructor({ files, title, home, folder, ...parts }: SessionParts) {
    super(program, parts, dialect);
    const { child, options } = parts;
    this.#files = files;
    this.#title = title;
    this.#folder = folder;
    this.incoming = new Incoming({
      ...options,
      home,
      title,
      prefix: `${title.slice(0, 8)}-${child.pid}-`,
      respond: (id, answer) => (answer === undefined ? this.stream.refuse(id, "") : this.stream.respond(id, answer)),
      say: (events) => this.stream.say(events),
      stop: () => this.interruptTurn(),
      stopRetrying: () => this.#tell("abort_retry"),
      cancelAgain: () => this.#abort(),
      kill: () => void child.stop({ politely: false }),
    });
  }

  get state(): string | undefined {
    return this.isKept && this.#file !== undefined ? encodeState(this.#file, this.#folder) : undefined;
  }

  async open(): Promise<void> {
    const { cwd, mode, state: resume } = this.options;
    const state = await initialize(this.stream, this.incoming, this.#title, this.context.deadlines.start);
    this.#file = text(state["sessionFile"]);
    this.#uses(record(state["model"]));
    const resumed = resume !== undefined;
    // pi creates a conversation that is missing.
    if (resumed && state["messageCount"] === 0) throw lost();
    if (resumed) this.incoming.translator.usage.resumed(statsReading(await this.#ask("get_session_stats")));
    const tools = [...(this.incoming.holds ?? [])];
    this.stream.say([
      { type: "session.started", model: this.#model, mode, cwd, tools, resumed, state: this.state },
      { type: "session.updated", commands: await this.#commands(), by: "agent" },
    ]);
  }

  /** Ignores a turn that an extension just began: pi handles the prompt after it, and no event of that turn was reported yet. */
  protected get busy(): boolean {
    return this.incoming.translator.prompted;
  }

  protected async send(message: Message): Promise<void> {
    const compact = message.images === undefined ? compactCommand.exec(message.message) : null;
    if (compact === null) await this.#send(message);
    else void this.#compact(compact[1]);
  }

  /** pi reads the message after the running tools, or right after its answer. */
  async steer(input: PromptInput): Promise<void> {
    const message = await this.contentOf(input);
    const { translator } = this.incoming;
    const nothingRuns = () => this.refused("invalid_input", "No turn is running, so there is nothing to steer.");
    if (!translator.running) throw nothingRuns();
    await this.stream.request("steer", message);
    if (translator.running || translator.queued === 0) return;
    // The turn ended at the same moment: left in the queue, the message would go into the next turn.
    await this.stream.request("clear_queue");
    throw nothingRuns();
  }

  /** pi has no modes; Reins alone decides what it may do. */
  protected async setMode(): Promise<void> {}

  protected async setModel(model: string): Promise<void> {
    const available = record(await this.stream.request("get_available_models"))["models"];
    const found = findModel(model, available, this.#model);
    if (found === undefined) {
      const help = "Name it with its service, such as anthropic/claude-opus-5-5.";
      throw new ReinsError("model_unknown", `pi has no model ${model}, or several of that name.`, {
        agent: "pi",
        help,
      });
    }
    const { provider, id: modelId } = found.model;
    this.#uses(record(await this.stream.request("set_model", { provider, modelId })));
    if (found.level !== undefined) await this.stream.request("set_thinking_level", { level: found.level });
  }

  protected interruptTurn(): void {
    this.incoming.translator.cancel();
    if (this.incoming.translator.running) this.#abort();
  }

  protected override beforeClose(): void {
    if (!this.incoming.gone) this.#abort();
  }

  protected cleanUp(): Promise<void> {
    return this.#files.remove();
  }

  /** Without `clear_queue`, messages that were sent into the turn would begin after the abort. */
  #abort(): void {
    this.#tell("clear_queue");
    this.#tell("abort");
  }

  #tell(command: string): void {
    this.stream.request(command, {}, longestMs).catch(() => {});
  }

  #ask(command: string): Promise<unknown> {
    return this.stream.readUntil(this.stream.request(command));
  }

  #uses(model: JsonObject): void {
    this.#model = modelName(model) ?? this.#model;
    this.incoming.translator.usage.contextSize = number(model["contextWindow"]);
  }

  /** Commands of its extensions, templates and skills, and its own command that works here. */
  async #commands(): Promise<{ name: string; description?: string }[]> {
    const known = list(record(await this.#ask("get_commands"))["commands"]).flatMap((item) => {
      const [name, description] = [text(record(item)["name"]), text(record(item)["description"])];
      return name === undefined ? [] : [description === undefined ? { name } : { name, description }];
    });
    return [...known, { name: "compact", description: "Sum up the conversation so far to make room." }];
  }

  /** The user's own text comes first: pi looks for commands and templates only there. */
  protected async contentOf(input: PromptInput): Promise<Message> {
    const { texts, images } = await attachedTo(input, this.options.cwd, this.context.limits.promptBytes);
    const message = [input.text, ...texts].filter((part) => part.trim() !== "").join("\n\n");
    if (images.length === 0) return { message };
    return { message, images: images.map(({ mediaType, data }) => ({ type: "image", data, mimeType: mediaType })) };
  }

  /** No deadline, because pi may summarise the conversation before it accepts a prompt. */
  async #send(message: object): Promise<void> {
    const { translator } = this.incoming;
    try {
      await this.stream.request("prompt", { ...message, streamingBehavior: "followUp" }, longestMs);
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

  /** Some prompts need no model, and then no message ends the turn. */
  async #endIfIdle(): Promise<void> {
    const { translator } = this.incoming;
    const state = record(await this.stream.request("get_state").catch(() => ({ isStreaming: true })));
    if (state["isStreaming"] === false) this.stream.say(this.incoming.ended(translator.isIdle()));
  }

  async #compact(customInstructions: string | undefined): Promise<void> {
    const { translator } = this.incoming;
    const error = await this.stream.request("compact", { customInstructions }, longestMs).then(
      () => undefined,
      (thrown: unknown) => failures.info("invalid_input", refusalOf(thrown)?.message ?? String(thrown)),
    );
    this.stream.say(this.incoming.ended(translator.commandEnded(translator.cancelling ? undefined : error)));
  }
}

/**
 * The first exchange shows that the program is ready, new enough, and held by the extension. Returns its model and its
 * conversation's file.
 */
async function initialize(stream: StreamJson, incoming: Incoming, title: string, ms: number): Promise<JsonObject> {
  const explain = (error: unknown): never => {
    const { onlyGarbage } = incoming.translator;
    return explainStart(program, error, onlyGarbage, (exit, stderr) => failures.exit(exit, stderr, onlyGarbage));
  };
  // pi ignores the title; a replay of a recording reads from it which title was used.
  const asked = stream.request("get_state", { title }, ms);
  const state = record(await stream.readUntil(asked).catch(explain));
  if (incoming.holds === undefined)
    throw new ReinsError("protocol_error", "pi does not let Reins control its tools.", { agent: "pi" });
  await stream.readUntil(stream.request("clear_queue")).catch((error: unknown) => {
    if (goneOf(error) !== undefined) return explain(error);
    throw unsupportedVersion(program, undefined, error);
  });
  return state;
}
