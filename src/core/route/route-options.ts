/** What a person, a project and a call say about a route, as one. */
import type { RouteOptions } from "../api.ts";
import type { Configuration } from "../config/config.ts";
import { ReinsError } from "../../events/errors.ts";
import { defaultChoices, type RouteChoices } from "./failure-actions.ts";

/** As in the configuration: seconds and characters. */
type RouteSettings = NonNullable<Configuration["route"]>;

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
  const twice = route.find((id, index) => route.indexOf(id) !== index);
  if (twice === undefined) return route;
  const what = twice === first ? `falls back to itself` : `stands in the fallback twice`;
  throw new ReinsError("invalid_input", `The agent ${twice} ${what}.`, { help: "Name each agent of a route once." });
}

/** Who could go on, the likeliest first: those behind the current one, then from the beginning. */
export function behind(route: readonly string[], current: string): readonly string[] {
  const index = route.indexOf(current);
  return [...route.slice(index + 1), ...route.slice(0, Math.max(index, 0))];
}

export function parseFallback(text: string): readonly string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (!ids.includes("")) return ids;
  throw new ReinsError("invalid_input", "The fallback has an agent without a name.", {
    help: "Separate the ids of agents with commas, without one at the end.",
  });
}
