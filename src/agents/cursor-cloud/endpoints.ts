/** Every request there is: where it goes, what is answered, and how often it may be sent. */
import type { Schemas } from "./schemas.ts";

export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** `{id}` and `{runId}` stand for what is asked about. */
  readonly path: string;
  readonly answer: keyof Schemas;
  readonly limits: Limits;
  /** Sent twice it does no more than once. */
  readonly again: boolean;
}

/** How often it may be sent. */
export interface Limits {
  readonly perMinute: number;
  readonly perHour?: number;
}

/** Documented for every endpoint that says nothing else. */
export const usualLimits: Limits = { perMinute: 20 };

type Of<Name extends keyof Schemas> = Endpoint & { readonly answer: Name };

function get<Name extends keyof Schemas>(path: string, answer: Name, limits: Limits = usualLimits): Of<Name> {
  return { method: "GET", path, answer, limits, again: true };
}

function post<Name extends keyof Schemas>(path: string, answer: Name, again = false): Of<Name> {
  return { method: "POST", path, answer, limits: usualLimits, again };
}

function remove(path: string): Of<"id"> {
  return { method: "DELETE", path, answer: "id", limits: usualLimits, again: true };
}

/** One in a minute, thirty in an hour: the service looks them all up. */
const rarely: Limits = { perMinute: 1, perHour: 30 };

export const endpoints = {
  // With an id that we chose: the second time it is refused as taken.
  create: post("/v1/agents", "created", true),
  createUnnamed: post("/v1/agents", "created"),
  list: get("/v1/agents", "agents"),
  agent: get("/v1/agents/{id}", "agent"),
  remove: remove("/v1/agents/{id}"),
  archive: post("/v1/agents/{id}/archive", "id", true),
  unarchive: post("/v1/agents/{id}/unarchive", "id", true),
  startRun: post("/v1/agents/{id}/runs", "startedRun"),
  runs: get("/v1/agents/{id}/runs", "runs"),
  run: get("/v1/agents/{id}/runs/{runId}", "run"),
  cancel: post("/v1/agents/{id}/runs/{runId}/cancel", "id", true),
  usage: get("/v1/agents/{id}/usage", "usage"),
  artifacts: get("/v1/agents/{id}/artifacts", "artifacts"),
  download: get("/v1/agents/{id}/artifacts/download", "download"),
  me: get("/v1/me", "me"),
  models: get("/v1/models", "models"),
  repositories: get("/v1/repositories", "repositories", rarely),

  legacyCreate: post("/v0/agents", "legacyAgent"),
  legacyList: get("/v0/agents", "legacyAgents"),
  legacyAgent: get("/v0/agents/{id}", "legacyAgent"),
  legacyConversation: get("/v0/agents/{id}/conversation", "legacyConversation"),
  legacyFollowUp: post("/v0/agents/{id}/followup", "id"),
  legacyStop: post("/v0/agents/{id}/stop", "id", true),
  legacyRemove: remove("/v0/agents/{id}"),
  legacyArtifacts: get("/v0/agents/{id}/artifacts", "legacyArtifacts"),
  legacyMe: get("/v0/me", "me"),
  legacyModels: get("/v0/models", "legacyModels"),
  legacyRepositories: get("/v0/repositories", "legacyRepositories", rarely),
};

export type EndpointName = keyof typeof endpoints;

/** Not a request with an answer: events, for as long as the run goes on. */
export const streamPath = "/v1/agents/{id}/runs/{runId}/stream";

export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
}
