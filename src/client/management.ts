import type { Cloud, Management, PolicyView } from "../core/api.ts";
import type {
  AboutAnswer,
  ConversationAnswer,
  HooksAnswer,
  ManagementAnswer,
  McpAnswer,
  McpToolsAnswer,
  ModelsAnswer,
} from "../server/schemas/agents.ts";
import type { ArtifactsAnswer, CloudEventsAnswer, CloudUsageAnswer } from "../server/schemas/cloud.ts";
import type { PolicyAnswer } from "../server/schemas/settings.ts";
import type { Http } from "./http.ts";
import { absolute } from "./body.ts";
import type { ClientContext } from "./session.ts";

type Place = NonNullable<Parameters<Management["createConversation"]>[0]>;

export async function managementOf(
  { http, cwd }: Pick<ClientContext, "http" | "cwd">,
  id: string,
): Promise<Management> {
  const agent = `/api/agents/${encodeURIComponent(id)}`;
  const server = (name: string): string => `${agent}/mcp/${encodeURIComponent(name)}`;
  const at = (place?: Place): { readonly cwd: string | undefined } => ({
    cwd: place?.cwd === undefined ? cwd : absolute(place.cwd, cwd),
  });
  const { cloud } = await http.get<ManagementAnswer>(`${agent}/management`);

  return {
    login: () => http.post(`${agent}/login`),
    logout: () => http.post(`${agent}/logout`),
    update: () => http.post(`${agent}/update`),
    about: async () => (await http.get<AboutAnswer>(`${agent}/about`)).facts,
    models: async ({ fresh } = {}) => (await http.get<ModelsAnswer>(`${agent}/models`, { fresh })).models,
    verify: () => http.post(`${agent}/verify`),
    mcp: {
      list: async (place) => (await http.get<McpAnswer>(`${agent}/mcp`, at(place))).servers,
      tools: async (name, place) => (await http.get<McpToolsAnswer>(`${server(name)}/tools`, at(place))).tools,
      enable: async (name, place) => void (await http.post(`${server(name)}/enable`, at(place))),
      disable: async (name, place) => void (await http.post(`${server(name)}/disable`, at(place))),
      login: (name) => http.post(`${server(name)}/login`),
    },
    hooks: {
      status: async (place) => (await http.get<HooksAnswer>(`${agent}/hooks`, at(place))).hooks,
      install: (scope, place) => http.post(`${agent}/hooks/install`, { scope, ...at(place) }),
      remove: (scope, place) => http.post(`${agent}/hooks/remove`, { scope, ...at(place) }),
    },
    createConversation: async (place) =>
      (await http.post<ConversationAnswer>(`${agent}/conversation`, at(place))).state,
    cloud: cloud ? (cloudOf(http, id) satisfies Cloud) : undefined,
    // The server itself mounts it.
    receiveWebhook: undefined,
  };
}

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

export async function policyOf(http: Http, cwd: string | undefined): Promise<PolicyView> {
  const { rules, remarks, cwd: folder } = await http.get<PolicyAnswer>("/api/policy", { cwd });
  return {
    cwd: folder,
    rules,
    remarks,
    test: (call) => http.post("/api/policy/test", { ...call, cwd: folder }),
    remove: (number) => http.delete(`/api/policy/${encodeURIComponent(number)}`, { cwd: folder }),
  };
}
