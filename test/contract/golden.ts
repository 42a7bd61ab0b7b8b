/**
 * The golden logs: every event of every scenario, one per line, as last agreed on. Values that differ from run to run are replaced by
 * stable names; any other change is a difference.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReinsEvent } from "../../src/events/types.ts";
import type { Stage } from "../../src/testing/contract/stage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Longer texts are cut and completed by a hash. */
const longest = 160;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

export function logOf(stage: Stage): string {
  const normalise = normaliser(stage);
  return stage.players
    .map(({ events }, index) => [`-- session ${index + 1}`, ...linesOf(events, normalise)].join("\n") + "\n")
    .join("");
}

function linesOf(events: readonly ReinsEvent[], normalise: (event: Fields, time: string) => Fields): string[] {
  const joined: { fields: Fields; readonly time: string }[] = [];
  for (const [index, event] of events.entries()) {
    const fields = withoutEnvelope(event, events[index - 1]);
    const last = joined.at(-1);
    // Join deltas: how a text is cut into deltas depends on timing.
    if (last !== undefined && isMoreOf(last.fields, fields))
      last.fields = { ...fields, text: String(last.fields["text"]) + String(fields["text"]) };
    else joined.push({ fields, time: event.time });
  }
  return joined.map((one) => {
    const { type, turnId, ...fields } = normalise(one.fields, one.time);
    return [turnId ?? "--", type, JSON.stringify(shorten(fields))].join(" ");
  });
}

/** Omits envelope fields that follow from the event before. */
function withoutEnvelope({ v, seq, sessionId, agent, time: _, ...event }: ReinsEvent, before?: ReinsEvent): Fields {
  return {
    ...event,
    ...(v === (before?.v ?? 1) ? {} : { v }),
    ...(seq === (before?.seq ?? 0) + 1 ? {} : { seq }),
    ...(before === undefined || sessionId === before.sessionId ? {} : { sessionId }),
    ...(agent === before?.agent ? {} : { agent }),
  };
}

function isMoreOf(last: Fields, next: Fields): boolean {
  const others = ({ text: _, ...fields }: Fields): string => JSON.stringify(fields);
  return /^(message|thought)\.delta$/.test(String(next["type"])) && others(last) === others(next);
}

/** Shared by all sessions of a scenario, so that an id has the same name in each. */
function normaliser({ place, players }: Stage): (event: Fields, time: string) => Fields {
  const root = dirname(place.cwd);
  const paths = [root, encodeURIComponent(root), root.replaceAll(/[^A-Za-z0-9]/g, "-")];
  const named = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (kind: string, id: string): string => {
    if (!named.has(id)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      named.set(id, `${kind}${counts.get(kind)}`);
    }
    return named.get(id)!;
  };
  for (const { session } of players) name("session", session.id);
  const kinds: Readonly<Record<string, string>> = {
    turnId: "turn",
    messageId: "message",
    requestId: "request",
    // In a recording the ids are the agent's own and do not change.
    ...(place.live ? { callId: "call", parentCallId: "call" } : {}),
  };
  const text = (value: string): string => {
    const [plain, ...others] = paths;
    const placed = others.reduce((said, path) => said.replaceAll(path, "{root}"), value.replaceAll(plain!, "{root}"));
    return [...named]
      .reduce((said, [id, short]) => (id.length < 8 ? said : said.replaceAll(id, short)), placed)
      .replaceAll(uuid, (id) => name("id", id))
      .replaceAll(time, (at) => timeFrom(now, at))
      .replaceAll(/(127\.0\.0\.1(?::|%3A))\d+/g, "$1{port}");
  };
  const value = (given: unknown, key: string): unknown => {
    // The version of an in-process agent is that of a library or of Reins.
    if (key === "agentVersion" && place.live) return "{version}";
    if (typeof given === "string") return kinds[key] === undefined ? text(given) : name(kinds[key], given);
    if (key === "durationMs" && typeof given === "number") return 0;
    if (Array.isArray(given)) return given.map((one) => value(one, key));
    if (typeof given !== "object" || given === null) return given;
    return fields(withoutRoot(given as Fields));
  };
  /** Recomputes the byte counts of an output as if the folder had the length of its placeholder. */
  const withoutRoot = (given: Fields): Fields => {
    const { text: said, bytes, kept } = given;
    if (typeof said !== "string" || typeof bytes !== "number" || typeof kept !== "number") return given;
    const more = said.length - said.replaceAll(root, "{root}").length;
    return { ...given, bytes: bytes - more, kept: kept - more };
  };
  let now = 0;
  const fields = (given: Fields): Fields =>
    Object.fromEntries(
      Object.entries(given)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, one]) => [text(key), value(one, key)]),
    );
  return ({ filesChangedIncomplete, ...event }, said) => {
    now = Date.parse(said);
    // With a real workspace, a busy machine may not finish the scan in time.
    return fields(place.live ? event : { ...event, filesChangedIncomplete });
  };
}

/** The distance in minutes: a busy machine is late by seconds. */
function timeFrom(now: number, at: string): string {
  const minutes = Math.round((Date.parse(at) - now) / 60_000);
  return minutes < 1 ? "{time}" : `{in ${minutes} min}`;
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") {
    if (value.length <= longest) return value;
    const hash = createHash("sha256").update(value).digest("hex").slice(0, 12);
    return `${value.slice(0, 100)}… {${value.length} characters, ${hash}}`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one)]));
}

/** The golden log of one agent. `UPDATE_GOLDEN=1` replaces its content with the current events. */
export class GoldenLog {
  readonly isUpdated = process.env["UPDATE_GOLDEN"] !== undefined;
  readonly #file: string;
  readonly #kept: Map<string, string>;

  constructor(agent: string) {
    this.#file = fileURLToPath(new URL(`golden/${agent.replaceAll(" ", "-")}.txt`, import.meta.url));
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    const sections = text.split(/^== (.*)\n/m).slice(1);
    this.#kept = new Map(
      sections.flatMap((name, index) => (index % 2 === 0 ? [[name, sections[index + 1] ?? ""]] : [])),
    );
  }

  get scenarios(): readonly string[] {
    return [...this.#kept.keys()];
  }

  /** Returns the stored log of a scenario, updated first when requested; empty when the scenario was not run. */
  of(scenario: string, said: string): string {
    if (this.isUpdated && said === "") this.#kept.delete(scenario);
    else if (this.isUpdated) this.#kept.set(scenario, said);
    return this.#kept.get(scenario) ?? "";
  }

  /** Writes the log in this order, without other scenarios. */
  write(scenarios: readonly string[]): void {
    const sections = scenarios
      .filter((name) => this.#kept.has(name))
      .map((name) => `== ${name}\n${this.#kept.get(name)}`);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, sections.join(""));
  }
}
