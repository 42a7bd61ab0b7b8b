/** Plays one conversation of a recorded stream through its translator and the core's recorder, as a session would. */
import type { z } from "zod";
import { Recorder } from "../../src/core/record/recorder.ts";
import type { RecordedTranslator } from "./types.ts";
import { checkLaws } from "../../src/events/laws.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import { agentEventSchema, reinsEventSchema } from "../../src/events/schema/index.ts";
import type { AgentEvent, ReinsEvent } from "../../src/events/types.ts";
import type { RecordedFile } from "./files.ts";

export interface Played {
  readonly seen: readonly ReinsEvent[];
  /** Messages that were not understood, with the line where each first occurred. */
  readonly strange: readonly string[];
  /** Broken laws, one sentence each. */
  readonly broken: readonly string[];
}

const strangeCodes: ReadonlySet<string> = new Set(["unparsed", "unexpected_answer"]);

export function play(agent: string, file: RecordedFile, translator: RecordedTranslator, cwd: string): Played {
  const run = new Run(agent, translator, cwd);
  const begins = (message: RecordedFile["messages"][number]) => translator.begins?.(message) === true;
  try {
    if (translator.unprompted !== true && !file.messages.some(begins)) run.prompt();
    for (const message of file.messages) {
      run.line = message.line;
      if (begins(message)) run.prompt();
      if (message.dir === "in") translator.sent?.(message.message);
      else run.take(translator.said(message.message));
    }
    run.line = undefined;
    run.end(translator.exited(file.exit, file.stderr));
  } catch (error) {
    run.breaks(`law 6: the translator threw: ${String(error)}`);
  }
  return run.result();
}

class Run {
  line: number | undefined;
  readonly #translator: RecordedTranslator;
  readonly #recorder = new Recorder({ sessionId: "recorded", redact: createRedactor({}), limits: defaultLimits });
  readonly #state: string;
  readonly #strange: string[] = [];
  readonly #broken: string[] = [];
  #turns = 0;
  /** Prompts that were sent before the first output of the turn. */
  #queued = 0;
  #said = false;

  constructor(agent: string, translator: RecordedTranslator, cwd: string) {
    this.#translator = translator;
    this.#state = `${agent}:1:recorded`;
    this.#recorder.startLeg(agent, { mode: "ask", cwd, resumed: false });
  }

  /** A prompt during a turn is folded into it; a prompt before the first output is queued. */
  prompt(): void {
    if (this.#recorder.turnId === undefined) this.#start();
    else if (!this.#said) this.#queued++;
  }

  take(events: readonly AgentEvent[]): void {
    for (const event of events) {
      this.#check(event);
      this.#said = true;
      if (event.type === "turn.ended") this.#ended(event);
      else if (event.type !== "tool.held") this.#add(event);
    }
  }

  end(events: readonly AgentEvent[]): void {
    this.#queued = 0;
    this.take(events);
    this.#recorder.endLeg();
  }

  breaks(sentence: string): void {
    this.#broken.push(`${this.#where()}${sentence}`);
  }

  result(): Played {
    const seen = this.#recorder.take();
    const laws = checkLaws(seen).map(({ law, seq, message }) => `law ${law}, event ${seq}: ${message}`);
    const words = seen.flatMap((event) => {
      const { error } = reinsEventSchema.safeParse(event);
      return error === undefined
        ? []
        : [`event ${event.seq} (${event.type}) is not in the vocabulary: ${whyOf(error)}`];
    });
    return { seen, strange: this.#strange, broken: [...this.#broken, ...laws, ...words] };
  }

  #start(): void {
    this.#said = false;
    this.#translator.prompted?.();
    this.#recorder.startTurn(`t${++this.#turns}`, { type: "turn.started", origin: "prompt", input: { text: "…" } });
    this.#recorder.knowState(this.#state);
  }

  #ended(event: Extract<AgentEvent, { type: "turn.ended" }>): void {
    this.#recorder.endTurn({ ...event, state: this.#state });
    if (this.#queued === 0) return;
    this.#queued--;
    this.#start();
  }

  #add(event: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>): void {
    if (event.type === "tool.started" || event.parent !== undefined) this.#recorder.knowState(this.#state);
    this.#recorder.add(event);
    if (event.type === "notice" && strangeCodes.has(event.code)) this.#strange.push(`${this.#where()}${event.message}`);
    const { requests } = this.#recorder;
    if (event.type === "permission.requested") {
      requests.resolved({ type: "permission.resolved", requestId: event.requestId, outcome: "allowed", by: "person" });
      this.#translator.allowed?.(event.requestId);
    } else if (event.type === "question.requested") {
      const { requestId } = event;
      requests.resolved({ type: "question.resolved", requestId, outcome: "skipped", by: "person" });
    }
  }

  #check(event: AgentEvent): void {
    const { error } = agentEventSchema.safeParse(event);
    if (error !== undefined) this.breaks(`${event.type} is not in the vocabulary: ${whyOf(error)}`);
  }

  #where(): string {
    return this.line === undefined ? "at its end: " : `line ${this.line}: `;
  }
}

function whyOf({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join(".")} (${code})`).join(", ");
}
