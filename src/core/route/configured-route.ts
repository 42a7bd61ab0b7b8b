/** What a person, a project and a call say about a route, as one. */
import type { RouteOptions } from "../api.ts";
import { defaultChoices } from "./survivable.ts";
import type { RouteChoices } from "./survivable.ts";

/** As it stands in a configuration. */
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
