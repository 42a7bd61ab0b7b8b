/** Combines everything from the program into events: messages through the translator, requests and hooks through the request engine. */
import { ReinsError, errorInfo, type ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent, AgentEventOf, Tokens } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { isRecord, record, text, type JsonObject } from "../../protocols/json.ts";
import type { StreamJson, WireRequest } from "../../protocols/stream-json/index.ts";
import type { OpenOptions } from "../contract.ts";
import { isSupported, unsupportedVersion } from "../shared/program/program.ts";
import { errorSaid, failures } from "./failures.ts";
import type { Hooks } from "./hooks.ts";
import { program } from "./program.ts";
import { HeldTools, qwenRequests } from "./requests.ts";
import { canonicalTool } from "./tools.ts";
import { RetryWatch } from "./translate-system.ts";
import { Translator } from "./translate.ts";

export interface IncomingOptions extends Pick<OpenOptions, "cwd" | "mode" | "fallbackModel" | "raw"> {
  readonly resumed: boolean;
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly stream: Pick<StreamJson, "say" | "respond" | "refuse" | "request">;
  /** Watches the program's own file of the conversation. */
  readonly hooks: Pick<Hooks, "begin" | "look">;
  readonly retire: () => void;
}

/** Text is confirmed after this much silence. */
const settleMs = 30;
/** An interrupt may come before anything can be interrupted, so it is repeated. */
const insistMs = 1_000;

export class Incoming {
  readonly translator: Translator;
  readonly requests: ReturnType<typeof qwenRequests>;
  gone = false;
  /** The path of the transcript, known when the program is ready to work. */
  readonly ready: Promise<string>;
  /** The error that the program printed instead of starting. */
  startFailure: string | undefined;
  readonly #options: IncomingOptions;
  readonly #held: HeldTools;
  readonly #retries: RetryWatch;
  readonly #ready = Promise.withResolvers<string>();
  #transcript: string | undefined;
  #conversation: string | undefined;
  #initialized = false;
  /** The end of a turn that also ends the process, reported when the process has ended. */
  #lastWord: AgentEventOf<"turn.ended"> | undefined;
  #cancelled = false;
  /** A program whose launcher was killed cancels its work and exits: without a next line these cancellations are dropped. */
  readonly #doubtful: AgentEvent[] = [];
  #settling: NodeJS.Timeout | undefined;
  #insisting: NodeJS.Timeout | undefined;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.ready = this.#ready.promise;
    // Prevents an unhandled rejection when nobody awaits it.
    this.ready.catch(() => {});
    this.translator = new Translator(options);
    this.requests = qwenRequests({
      ...options,
      translator: this.translator,
      onStop: () => this.cancel(),
      onMode: (mode) => void options.stream.request("set_permission_mode", { mode }).catch(() => {}),
    });
    const { translator, requests } = this;
    this.#held = new HeldTools({ ...options, translator, requests });
    this.#retries = new RetryWatch({
      givesUp: options.fallbackModel === undefined,
      look: () => void options.hooks.look(),
      giveUp: (failure) => {
        this.translator.interruptedFor = failure;
        this.#giveUp();
      },
    });
  }

  initialized(conversation: string): void {
    this.#initialized = true;
    this.#conversation = conversation;
  }

  prompted(): void {
    this.#cancelled = false;
    this.translator.prompted();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#interrupt();
    this.requests.cancelAll();
    this.#held.release("The turn was cancelled.");
    clearInterval(this.#insisting);
    this.#insisting = setInterval(() => this.#interrupt(), insistMs).unref();
  }

  message(message: unknown): readonly AgentEvent[] {
    const wire = record(message);
    if (wire["type"] === "request_failed") return this.#retries.failed(wire);
    clearTimeout(this.#settling);
    this.#retries.heard();
    if (!this.#initialized && wire["type"] === "result") {
      this.startFailure = errorSaid(wire);
      return [];
    }
    if (wire["type"] === "system" && wire["subtype"] === "init") this.#introduced(wire);
    const events = this.#doubtful.splice(0);
    events.push(...this.translator.translate(message).flatMap((event) => this.#complete(event)));
    if (this.translator.undecided)
      this.#settling = setTimeout(() => this.#options.stream.say(this.translator.settle()), settleMs);
    if (this.translator.givenUp) this.#giveUp();
    this.#held.heard();
    return events;
  }

  request({ id, subtype, body }: WireRequest): readonly AgentEvent[] {
    const events = this.#request(id, subtype, body);
    return this.#options.raw === true ? events.map((event) => ({ ...event, raw: body })) : events;
  }

  withdrawn(id: string, { late }: JsonObject): readonly AgentEvent[] {
    return [...this.requests.withdrawn(id), ...this.#held.withdrawn(id, late === true)];
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    this.gone = true;
    this.#over();
    this.#ready.reject(new ReinsError("agent_crashed", "Qwen Code has ended.", { agent: "qwen" }));
    const events = this.translator.exited(exit, stderrTail).flatMap((event) => this.#complete(event));
    return this.#lastWord === undefined ? events : [...events, this.#lastWord];
  }

  get onlyGarbage(): boolean {
    return this.translator.onlyGarbage && this.startFailure === undefined;
  }

  #introduced(message: JsonObject): void {
    if (!this.translator.session.started) {
      const version = text(message["qwen_code_version"]);
      if (version !== undefined && !isSupported(program, version))
        this.#fail(errorInfo(unsupportedVersion(program, version)));
      // The first hook comes before the introduction.
      else if (this.#transcript === undefined) this.#fail(unheld);
    }
    if (this.#cancelled) this.#interrupt();
    if (this.#transcript === undefined) return;
    void this.#options.hooks.begin(this.#transcript);
    this.#retries.start();
  }

  /** Ends the turn before a model is asked. */
  #fail(error: ErrorInfo): void {
    this.#lastWord = { type: "turn.ended", outcome: "failed", error };
    this.#interrupt();
    this.#options.retire();
  }

  /** Adds what the translator cannot know. */
  #complete(event: AgentEvent): readonly AgentEvent[] {
    switch (event.type) {
      case "tool.completed":
      case "tool.failed":
        if (event.type === "tool.failed" && event.reason === "cancelled" && !this.#cancelled && !this.gone) {
          this.#doubtful.push(event);
          return [];
        }
        return [...this.requests.callEnded(event.callId), event];
      case "turn.ended":
        return this.#ended(event);
      default:
        return [event];
    }
  }

  #ended(event: AgentEventOf<"turn.ended">): readonly AgentEvent[] {
    this.#over();
    if (this.#lastWord !== undefined) return [];
    if (this.gone || !this.translator.failedFatally) return [event];
    this.#lastWord = event;
    this.#options.retire();
    return [];
  }

  /** The result of the request does not matter; the turn's end is reported separately. */
  #interrupt(): void {
    this.#options.stream.request("interrupt").catch(() => {});
  }

  #giveUp(): void {
    this.#retries.stop();
    if (!this.#cancelled) this.cancel();
  }

  #over(): void {
    clearTimeout(this.#settling);
    clearInterval(this.#insisting);
    this.#retries.stop();
    this.#cancelled = false;
    this.requests.turnEnded();
    this.#held.release("The turn is over.");
    this.#held.turnEnded();
  }

  #hook(id: string, name: string, body: JsonObject): readonly AgentEvent[] {
    const input = record(body["input"]);
    // A Qwen Code started by a tool has the same settings. `/clear` begins another conversation.
    const isCleared = name === "SessionStart" && input["source"] === "clear";
    const now = this.translator.session.state?.split(":").at(-1) ?? this.#conversation;
    const isOurs = now === undefined || input["session_id"] === now || isCleared;
    if (isOurs && name === "PreToolUse") {
      void this.#held.held(id, input);
      return [];
    }
    if (isOurs && name === "PermissionRequest") {
      void this.#held.asked(id, input);
      return [];
    }
    const events = isOurs ? this.#told(name, input, body["used"]) : [];
    this.#options.stream.respond(id, {});
    return events;
  }

  #told(name: string, input: JsonObject, used: unknown): readonly AgentEvent[] {
    switch (name) {
      case "SessionStart":
        this.#transcript = text(input["transcript_path"]);
        if (this.#transcript !== undefined) this.#ready.resolve(this.#transcript);
        // The program waits for the answer, so this comes before it uses any tokens.
        if (isRecord(used)) this.translator.usage.began(used as unknown as Tokens);
        return [];
      case "SubagentStop":
        return this.translator.reported(text(input["agent_id"]) ?? "", text(input["last_assistant_message"]) ?? "");
      case "PostCompact":
        return [{ type: "context.compacted", trigger: text(input["trigger"]) ?? "unknown" }];
      default:
        return [];
    }
  }

  #request(id: string, subtype: string, body: JsonObject): readonly AgentEvent[] {
    if (subtype === "hook") return this.#hook(id, text(body["name"]) ?? "", body);
    if (subtype === "can_use_tool") {
      const said = this.translator.settle();
      const callId = text(body["tool_use_id"]) ?? id;
      const nativeName = text(body["tool_name"]) ?? "";
      const parent = this.translator.calls.find(callId)?.parent;
      const isQuestion = canonicalTool(nativeName) === "question";
      const reply = {
        // The program accepts a changed input but runs the old one; only answers to questions take effect.
        allow: (input?: JsonObject) => {
          if (input !== undefined && !isQuestion) return false;
          this.#options.stream.respond(id, { behavior: "allow", updatedInput: input });
          return true;
        },
        deny: (message: string) => void this.#options.stream.respond(id, { behavior: "deny", message }),
      };
      if (this.#held.goesOn(callId, reply)) return said;
      const waiting = { requestId: id, callId, nativeName, input: record(body["input"]), parent };
      return [...said, ...this.requests.received({ waiting, reply })];
    }
    return this.requests.received({ id, subtype });
  }
}

/** Without hooks Reins holds nothing, and a subagent that may not ask waits forever. */
const unheld = failures.info("unsupported", "Qwen Code runs no hooks here, so Reins cannot control its tools.", {
  help: "Remove `disableAllHooks` and the list of allowed hook addresses from its settings.",
});
