/** Combines the route settings of the user, the project and the call. */
import type { RouteOptions } from "../api.ts";
import type { Configuration } from "../config/config.ts";
import { ReinsError } from "../../events/errors.ts";
import { defaultChoices, type RouteChoices } from "./failure-actions.ts";

/** Units of the configuration: seconds and characters. */
type RouteSettings = NonNullable<Configuration["route"]>;

/** The project's settings override the user's, except that the user's `stop` always applies. */
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

/** The agents of a route in order. An agent that occurs twice would be a circle. */
export function routeOf(first: string, fallback: readonly string[] = []): readonly string[] {
  const route = [first, ...fallback];
  const twice = route.find((id, index) => route.indexOf(id) !== index);
  if (twice === undefined) return route;
  const what = twice === first ? `falls back to itself` : `occurs twice in the fallback`;
  throw new ReinsError("invalid_input", `The agent ${twice} ${what}.`, { help: "Name each agent of a route once." });
}

/** Agents that could continue, in order of preference: those after the current one, then from the beginning. */
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
