/** The stream and the hooks tell of the same work. What the stream tells counts; what only hooks told is said at the end of the turn. */
import type { AgentEvent } from "../../../events/types.ts";
import { workspacePath } from "../../shared/workspace-path.ts";
import type { Calls } from "./calls.ts";
import { endOf } from "./outcomes.ts";

interface Edit {
  readonly old_string?: string | undefined;
  readonly new_string?: string | undefined;
}

export class Merging {
  readonly #calls: Calls;
  readonly #cwd: string;
  readonly #prefix: string;
  /** Between turns: what comes now is late, and belongs to nobody. */
  #idle = false;
  #turns = 0;
  /** Cursor's ids of what it does upon one prompt: of this turn, and of the one before. */
  #generations = new Set<string>();
  #before = new Set<string>();
  readonly #streamed = new Set<"message" | "thought">();
  readonly #changed = new Set<string>();
  #edits = new Map<string, { added: number; removed: number }>();
  #texts: { readonly kind: "message" | "thought"; readonly text: string }[] = [];

  constructor(calls: Calls, cwd: string, prefix: string) {
    this.#calls = calls;
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  /** What the stream says, with one id for each call, and before the end of the turn what it did not say. */
  merge(events: readonly AgentEvent[]): readonly AgentEvent[] {
    return events.flatMap((event) => {
      const rest = event.type === "turn.ended" ? this.#rest() : [];
      this.#hear(event);
      return [...rest, this.#calls.renamed(event)];
    });
  }

  /** A hook of this one fires: of the next turn perhaps, before the stream says anything. */
  heard(generation: string | undefined): void {
    if (generation === undefined || this.#before.has(generation)) return;
    this.#generations.add(generation);
    this.#idle = false;
  }

  said(kind: "message" | "thought", text: string | undefined): void {
    if (text !== undefined && text.trim() !== "" && !this.#idle) this.#texts.push({ kind, text });
  }

  edited(path: string, edits: readonly Edit[]): void {
    if (this.#idle) return;
    const place = workspacePath(path, this.#cwd);
    const known = this.#edits.get(place) ?? { added: 0, removed: 0 };
    for (const { old_string: before = "", new_string: after = "" } of edits) {
      known.removed += linesIn(before);
      known.added += linesIn(after);
    }
    this.#edits.set(place, known);
  }

  #hear(event: AgentEvent): void {
    if (event.type === "turn.ended") return this.#clear();
    if (/^(?:message|thought|tool)\./.test(event.type)) this.#idle = false;
    if (event.type === "tool.started") this.#calls.streamed(event);
    else if (event.type === "file.changed") this.#changed.add(event.path);
    else if (event.type.startsWith("message.")) this.#streamed.add("message");
    else if (event.type.startsWith("thought.")) this.#streamed.add("thought");
  }

  #rest(): readonly AgentEvent[] {
    const texts = this.#texts.filter(({ kind }) => !this.#streamed.has(kind));
    const edits = [...this.#edits].filter(([path]) => !this.#changed.has(path));
    return [
      ...texts.map(({ kind, text }, index): AgentEvent => {
        const messageId = `${this.#prefix}-${this.#turns}-${index}`;
        return { type: `${kind}.completed`, messageId, text };
      }),
      ...edits.map(([path, { added, removed }]): AgentEvent => ({
        type: "file.changed",
        path,
        op: "modify",
        added,
        removed,
      })),
      ...this.#calls.untold().flatMap((call): readonly AgentEvent[] => {
        const { tool, nativeName, kind, title, input, locations } = call.call;
        const { callId } = call;
        // One that Reins was asked about has begun for it.
        const started: AgentEvent = { type: "tool.started", callId, tool, nativeName, kind, title, input, locations };
        return call.outcome === undefined ? [] : [...(call.asked ? [] : [started]), ...endOf(call)];
      }),
    ];
  }

  #clear(): void {
    this.#idle = true;
    this.#turns++;
    this.#before = this.#generations;
    this.#generations = new Set();
    this.#streamed.clear();
    this.#changed.clear();
    this.#edits = new Map();
    this.#texts = [];
    this.#calls.clear();
  }
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
