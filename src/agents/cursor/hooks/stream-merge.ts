/**
 * Merges the stream and the hooks, which report the same work. The stream takes precedence; what only hooks reported is
 * added at the end of the turn.
 */
import { displayPath } from "../../../events/paths.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { endOf } from "../../shared/calls.ts";
import type { Calls } from "./calls.ts";

interface Edit {
  readonly old_string?: string | undefined;
  readonly new_string?: string | undefined;
}

type TextKind = "message" | "thought";

export class HookStreamMerge {
  readonly #calls: Calls;
  readonly #cwd: string;
  readonly #prefix: string;
  /** Between turns: a hook that fires now is late and belongs to no turn. */
  #idle = false;
  #turns = 0;
  /** Cursor's generation ids of this turn and of the previous one. */
  #generations = new Set<string>();
  #before = new Set<string>();
  readonly #streamed = new Set<TextKind>();
  readonly #changed = new Set<string>();
  #edits = new Map<string, { added: number; removed: number }>();
  #texts: { readonly kind: TextKind; readonly text: string }[] = [];

  constructor(calls: Calls, cwd: string, prefix: string) {
    this.#calls = calls;
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  /** Returns the events of the stream with one id per call, and before the end of a turn what the stream did not report. */
  merge(events: readonly AgentEvent[]): readonly AgentEvent[] {
    return events.flatMap((event) => {
      const rest = event.type === "turn.ended" ? this.#rest() : [];
      this.#hear(event);
      return [...rest, this.#calls.renamed(event)];
    });
  }

  /** Called when a hook fires, which may begin the next turn before the stream does. */
  heard(generation: string | undefined): void {
    if (generation === undefined || this.#before.has(generation)) return;
    this.#generations.add(generation);
    this.#idle = false;
  }

  said(kind: TextKind, text: string | undefined): void {
    if (text !== undefined && text.trim() !== "" && !this.#idle) this.#texts.push({ kind, text });
  }

  edited(path: string, edits: readonly Edit[]): void {
    if (this.#idle) return;
    const place = displayPath(path, this.#cwd);
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
      ...edits.map(([path, lines]): AgentEvent => ({ type: "file.changed", path, op: "modify", ...lines })),
      ...this.#calls.untold().flatMap(({ callId, call, asked, outcome }): readonly AgentEvent[] => {
        if (outcome === undefined) return [];
        const { mcp: _, ...about } = call;
        // A call that Reins was asked about already has a start.
        return [...(asked ? [] : [{ type: "tool.started", callId, ...about } as const]), endOf(callId, outcome)];
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
