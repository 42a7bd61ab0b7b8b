/** Translates OpenCode's event stream to events. Never throws. */
import { named, number, record, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { StreamedTexts } from "../shared/texts.ts";
import { words } from "../shared/words.ts";
import { Unparsed } from "../../protocols/stream-json/unparsed.ts";
import { program } from "./program.ts";
import { failures, mostRetries, retryIn } from "./failures.ts";
import type { Naming } from "./tools.ts";
import { Calls, planOf, Sessions } from "./translate-calls.ts";
import { Turns } from "./translate-turns.ts";
import type { Ending } from "../../protocols/failure.ts";
import { Usage } from "./usage.ts";

export interface TranslatorOptions extends Naming {
  readonly session: string;
  /** Number of model rounds after which the turn ends. */
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly abort: () => void;
  readonly now?: (() => number) | undefined;
}

interface Message {
  readonly session: string;
  readonly model: string;
  /** The message is a summary of the conversation. */
  readonly summary: boolean;
}

/** Known events that need no translation: a tool reports more than `file.edited`. */
const ignored: ReadonlySet<string> = new Set(
  words(`
    server.connected server.heartbeat server.instance.disposed global.disposed plugin.added catalog.updated
    reference.updated integration.updated integration.connection.updated models-dev.refreshed
    installation.updated installation.update-available session.deleted session.diff message.removed
    message.part.removed file.edited file.watcher.updated lsp.updated lsp.client.diagnostics mcp.tools.changed
    mcp.browser.open.failed command.executed project.updated project.directories.updated vcs.branch.updated
    workspace.ready workspace.failed workspace.status worktree.ready worktree.failed pty.created pty.updated
    pty.exited pty.deleted question.replied question.rejected
  `),
);
/** The next generation of events is sent in parallel, with its own prefixes. */
const ignoredFamilies = /^(session\.next\.|tui\.|permission\.v2\.|question\.v2\.)/;

export class Translator {
  readonly sessions: Sessions;
  readonly calls: Calls;
  readonly turns = new Turns();
  readonly usage = new Usage();
  /** The last text of the main conversation, which may be a plan. */
  lastSaid = "";
  model: string | undefined;
  readonly #o: TranslatorOptions;
  readonly #texts = new StreamedTexts();
  /** Answers of models. */
  readonly #messages = new Map<string, Message>();
  /** Answers of the last turn: further parts of them are late. */
  #over: ReadonlySet<string> = new Set();
  /** Messages to models. */
  readonly #asked = new Set<string>();
  readonly #counted = new Set<string>();
  readonly #unparsed = new Unparsed(program.name);
  #title: string | undefined;
  #rounds = 0;
  #overflows = 0;
  /** Number of consecutive answers without a token. */
  #foreign = 0;
  #compaction = "auto";

  constructor(options: TranslatorOptions) {
    this.#o = options;
    this.sessions = new Sessions(options.session);
    this.calls = new Calls(options, this.sessions);
  }

  translate(event: unknown): AgentEvent[] {
    const { type, properties } = record(event);
    const about = record(properties);
    switch (type) {
      case "session.created":
        this.sessions.created(about["info"]);
        return [];
      case "session.updated":
        return this.#sessionUpdated(record(about["info"]));
      case "session.status":
        return this.#status(about);
      case "session.idle":
        return this.#idle(text(about["sessionID"]) ?? "");
      case "session.error":
        return this.#failed(about);
      case "session.compacted":
        return this.#isMain(about) ? [{ type: "context.compacted", trigger: this.#compaction }] : [];
      case "message.updated":
        return this.#message(record(about["info"]));
      case "message.part.updated":
        return this.#part(record(about["part"]));
      case "message.part.delta":
        if (about["field"] !== "text" || typeof about["partID"] !== "string") return [];
        return this.#texts.piece(about["partID"], text(about["delta"]) ?? "");
      case "todo.updated":
        return this.#isMain(about) ? [{ type: "plan.updated", entries: planOf(about["todos"]) }] : [];
      default:
        return ignored.has(String(type)) || ignoredFamilies.test(String(type))
          ? []
          : this.#unparsed.saw(`an event ${named(type)}`);
    }
  }

  ended(): AgentEvent[] {
    const { prompted } = this.turns;
    const ending = this.turns.end();
    return ending === undefined ? [] : this.#end(ending, prompted);
  }

  exited(exit: Exit, stderrTail: string): AgentEvent[] {
    const { code, signal } = exit;
    const { prompted } = this.turns;
    const ending = this.turns.exited(() => failures.exit(exit, stderrTail));
    const exited: AgentEvent = { type: "process.exited", code, signal, stderrTail };
    return ending === undefined ? [exited] : [exited, ...this.#end(ending, prompted)];
  }

  #end({ outcome, error }: Ending, prompted: boolean): AgentEvent[] {
    const { tokens: usage, costUsd, events } = this.usage.turnEnded();
    const main = [...this.#messages].filter(([, { session }]) => this.sessions.isMain(session));
    this.#over = new Set(main.map(([id]) => id));
    for (const id of this.#over) this.#messages.delete(id);
    this.#rounds = 0;
    this.#overflows = 0;
    this.#foreign = 0;
    const background = this.sessions.background;
    const origin = prompted ? undefined : "agent";
    return [
      ...this.#unparsed.turnEnded(),
      ...events,
      { type: "turn.ended", origin, outcome, error, usage, costUsd, background },
    ];
  }

  #isMain(about: JsonObject): boolean {
    return this.sessions.isMain(text(about["sessionID"]) ?? "");
  }

  #sessionUpdated(info: JsonObject): AgentEvent[] {
    this.sessions.created(info);
    const title = text(info["title"]);
    if (!this.sessions.isMain(text(info["id"]) ?? "") || title === undefined || title === this.#title) return [];
    this.#title = title;
    // The placeholder of a session without a title.
    return /^New session - \d{4}-/.test(title) ? [] : [{ type: "session.updated", title, by: "agent" }];
  }

  #status(about: JsonObject): AgentEvent[] {
    const session = text(about["sessionID"]) ?? "";
    const status = record(about["status"]);
    const { type } = status;
    if (!this.sessions.isOurs(session) || type === "idle") return [];
    this.sessions.setRunning(session, true);
    if (this.sessions.isMain(session)) this.turns.busy();
    // The turn began after the abort.
    if (this.sessions.isMain(session) && this.turns.stopping) this.#o.abort();
    if (type !== "retry") return [];
    const { event, over } = retryIn(status, this.sessions.parentOf(session), this.#o.now?.() ?? Date.now());
    if (!over) return [...this.#texts.discardAll(session, "retry"), event];
    this.#stop({ outcome: "failed", error: event.error });
    return [];
  }

  #stop(ending: Ending): void {
    this.turns.stop(ending);
    this.#o.abort();
  }

  #idle(session: string): AgentEvent[] {
    this.sessions.setRunning(session, false);
    if (!this.sessions.isMain(session)) return this.sessions.taskEnded(session, "completed");
    this.turns.isIdle();
    return [];
  }

  #failed(about: JsonObject): AgentEvent[] {
    const session = text(about["sessionID"]);
    const { error } = about;
    if (session === undefined) {
      const message = text(record(record(error)["data"])["message"]);
      return message === undefined ? [] : [{ type: "notice", level: "warning", code: "agent", message }];
    }
    if (!this.sessions.isMain(session)) return this.sessions.taskEnded(session, "failed");
    if (!this.turns.running) return [];
    this.turns.failed(error);
    // OpenCode compacts and retries as long as the conversation does not fit.
    if (record(error)["name"] === "ContextOverflowError" && ++this.#overflows > 1) {
      const said = text(record(record(error)["data"])["message"]);
      const message = said ?? "The conversation does not fit into the model's context.";
      this.#stop({ outcome: "failed", error: failures.info("context_too_long", message) });
    }
    return [];
  }

  #message(info: JsonObject): AgentEvent[] {
    const [id, session] = [text(info["id"]), text(info["sessionID"])];
    if (id === undefined || session === undefined || !this.sessions.isOurs(session)) return [];
    const main = this.sessions.isMain(session);
    if (info["role"] === "user") {
      if (main) this.#wasAsked(id, info["summary"] !== undefined);
      return [];
    }
    const isNew = !this.#messages.has(id);
    if (this.#over.has(id) || (isNew && main && !this.turns.running)) return [];
    const model = `${text(info["providerID"]) ?? ""}/${text(info["modelID"]) ?? ""}`;
    const summary = info["summary"] === true;
    this.#messages.set(id, { session, model, summary });
    if (main) this.turns.answered(info);
    if (!main || !isNew || summary) return main && isNew ? [{ type: "turn.phase", phase: "compact" }] : [];
    if (model === this.model || model === "/") return [];
    const known = this.model !== undefined;
    this.model = model;
    return known ? [{ type: "session.updated", model, by: "agent" }] : [];
  }

  /** Sent again whenever it changes; with a summary of changes (`summed`) also long after it was answered. */
  #wasAsked(id: string, summed: boolean): void {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    if (!summed || this.turns.running) this.turns.asked(id);
  }

  #part(part: JsonObject): AgentEvent[] {
    const [id, session] = [text(part["id"]), text(part["sessionID"])];
    if (id === undefined || session === undefined) return [];
    if (part["type"] === "compaction") {
      this.#compaction = part["auto"] === true ? "auto" : "manual";
      return [];
    }
    const message = this.#messages.get(text(part["messageID"]) ?? "");
    if (message === undefined) return [];
    switch (part["type"]) {
      case "text":
      case "reasoning":
        return message.summary || part["synthetic"] === true ? [] : this.#text(id, session, part);
      case "tool":
        return this.#call(session, part);
      case "step-finish":
        return this.#step(id, message, part);
      default:
        return [];
    }
  }

  #text(id: string, session: string, part: JsonObject): AgentEvent[] {
    const kind = part["type"] === "text" ? "message" : "thought";
    this.#texts.begin(id, { kind, messageId: id, thread: session, parent: this.sessions.parentOf(session) });
    const said = text(part["text"]) ?? "";
    if (kind === "message" && said !== "" && this.sessions.isMain(session)) this.lastSaid = said;
    const events = this.#texts.grew(id, said);
    const over = number(record(part["time"])["end"]) !== undefined;
    return over ? [...events, ...this.#texts.end(id)] : events;
  }

  #call(session: string, part: JsonObject): AgentEvent[] {
    const events = this.calls.part(session, part, () => this.#texts.endAll(session));
    return [...events, ...this.sessions.taskStarted(part, this.sessions.callId(session, text(part["callID"]) ?? ""))];
  }

  #step(id: string, { session, model, summary }: Message, part: JsonObject): AgentEvent[] {
    if (this.#counted.has(id)) return [];
    this.#counted.add(id);
    const main = this.sessions.isMain(session);
    this.usage.step(part["tokens"], part["cost"], model, main && !summary);
    const retried = main && !summary ? this.#foreignAnswer(part) : [];
    const { maxTurns = Infinity, maxBudgetUsd = Infinity } = this.#o;
    if ((this.usage.turn.costUsd ?? 0) > maxBudgetUsd) {
      const message = `The turn has cost more than ${maxBudgetUsd} USD.`;
      this.#stop({ outcome: "budget", error: failures.info("budget_exceeded", message) });
    }
    if (main && !summary && part["reason"] === "tool-calls" && ++this.#rounds >= maxTurns)
      this.#stop({ outcome: "max_turns" });
    return retried;
  }

  /** A reply that is no answer of a model ends a round without a reason and without a token, and OpenCode repeats the request forever. */
  #foreignAnswer(part: JsonObject): AgentEvent[] {
    const { input, output } = record(part["tokens"]);
    if (part["reason"] !== "unknown" || input !== 0 || output !== 0) {
      this.#foreign = 0;
      return [];
    }
    const facts = { kind: "foreign", text: "" };
    const attempt = ++this.#foreign;
    if (attempt <= mostRetries)
      return [{ type: "agent.retrying", attempt, ofMax: mostRetries, error: failures.error(facts) }];
    this.#stop(failures.ending(facts));
    return [];
  }
}
