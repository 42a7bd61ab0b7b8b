/** What a person, a project and a call say about a route, as one. */
import type { RouteOptions } from "../api.ts";
import { ReinsError } from "../../events/errors.ts";
import { defaultChoices } from "./failure-actions.ts";
import type { RouteChoices } from "./failure-actions.ts";

export interface RouteSettings {
  /** Seconds. */
  readonly patience?: number | undefined;
  readonly afterSideEffects?: "handoff" | "stop" | undefined;
  /** Characters. */
  readonly briefing?: number | undefined;
}

/** A project's word over the person's, but where the person stops, it stops. */
export function routeOver(person?: RouteSettings, project?: RouteSettings): RouteSettings | undefined {
  if (person === undefined || project === undefined) return project ?? person;
  const stops = person.afterSideEffects === "stop";
  return {
    patience: project.patience ?? person.patience,
    afterSideEffects: stops ? "stop" : (project.afterSideEffects ?? person.afterSideEffects),
    briefing: project.briefing ?? person.briefing,
  };
}

export function choicesOf(asked: RouteOptions = {}, configured: RouteSettings = {}): RouteChoices {
  const { patience, afterSideEffects, briefing } = configured;
  return {
    patience: asked.patienceMs ?? (patience === undefined ? defaultChoices.patience : patience * 1000),
    afterSideEffects: asked.afterSideEffects ?? afterSideEffects ?? defaultChoices.afterSideEffects,
    briefingChars: asked.briefingChars ?? briefing ?? defaultChoices.briefingChars,
  };
}

/** The agents of a route, the first one first. One that stands in it twice would be a circle. */
export function routeOf(first: string, fallback: readonly string[] = []): readonly string[] {
  const route = [first, ...fallback];
  const twice = route.find((id, place) => route.indexOf(id) !== place);
  if (twice === undefined) return route;
  const what = twice === first ? `falls back to itself` : `stands in the fallback twice`;
  throw new ReinsError("invalid_input", `The agent ${twice} ${what}.`, { help: "Name each agent of a route once." });
}

/** Who could go on, the likeliest first: those behind the current one, then from the beginning. */
export function behind(route: readonly string[], current: string): readonly string[] {
  const place = route.indexOf(current);
  return [...route.slice(place + 1), ...route.slice(0, Math.max(place, 0))];
}

/** `codex,gemini` of a command line. */
export function parseFallback(text: string): readonly string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (!ids.includes("")) return ids;
  throw new ReinsError("invalid_input", "The fallback has an agent without a name.", {
    help: "Separate the ids of agents with commas, without one at the end.",
  });
}
