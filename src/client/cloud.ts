/** What runs elsewhere, asked of by the server. */
import type { Cloud } from "../core/api.ts";
import type { ArtifactsAnswer, CloudEventsAnswer, CloudUsageAnswer } from "../server/schemas/cloud.ts";
import type { Http } from "./http.ts";

export function cloudOf(http: Http, agent: string): Cloud {
  const place = `/api/cloud/${encodeURIComponent(agent)}`;
  const one = (id: string): string => `${place}/agents/${encodeURIComponent(id)}`;
  return {
    list: ({ limit, cursor, archived, pullRequest } = {}) => http.get(place, { limit, cursor, archived, pullRequest }),
    get: (id) => http.get(one(id)),
    idOf: async (state) => (await http.get<{ readonly id: string }>(`${place}/id`, { state })).id,
    stop: async (id) => (await http.post<{ readonly stopped: boolean }>(`${one(id)}/stop`)).stopped,
    archive: async (id) => void (await http.post(`${one(id)}/archive`)),
    unarchive: async (id) => void (await http.post(`${one(id)}/unarchive`)),
    remove: async (id) => void (await http.delete(one(id))),
    artifacts: async (id) => (await http.get<ArtifactsAnswer>(`${one(id)}/artifacts`)).artifacts,
    artifactUrl: (id, path) => http.get(`${one(id)}/artifact-url`, { path }),
    usage: async (id) => (await http.get<CloudUsageAnswer>(`${one(id)}/usage`)).runs,
    me: () => http.get(`${place}/account`),
    repositories: async () =>
      (await http.get<{ readonly repositories: readonly string[] }>(`${place}/repositories`)).repositories,
    conversation: async (id) => (await http.get<CloudEventsAnswer>(`${one(id)}/conversation`)).events,
  };
}
