import type { Cloud, Management, PolicyView } from "../core/api.ts";
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
  const cloud = await http.field<boolean>("cloud", `${agent}/management`);

  return {
    login: () => http.post(`${agent}/login`),
    logout: () => http.post(`${agent}/logout`),
    update: () => http.post(`${agent}/update`),
    interface: () => http.post(`${agent}/interface`),
    about: () => http.field("facts", `${agent}/about`),
    models: ({ fresh } = {}) => http.field("models", `${agent}/models`, { fresh }),
    verify: () => http.post(`${agent}/verify`),
    mcp: {
      list: (place) => http.field("servers", `${agent}/mcp`, at(place)),
      tools: (name, place) => http.field("tools", `${server(name)}/tools`, at(place)),
      enable: async (name, place) => void (await http.post(`${server(name)}/enable`, at(place))),
      disable: async (name, place) => void (await http.post(`${server(name)}/disable`, at(place))),
      login: (name) => http.post(`${server(name)}/login`),
    },
    hooks: {
      status: (place) => http.field("hooks", `${agent}/hooks`, at(place)),
      install: (scope, place) => http.post(`${agent}/hooks/install`, { scope, ...at(place) }),
      remove: (scope, place) => http.post(`${agent}/hooks/remove`, { scope, ...at(place) }),
    },
    createConversation: async (place) =>
      (await http.post<{ readonly state: string }>(`${agent}/conversation`, at(place))).state,
    cloud: cloud ? cloudOf(http, id) : undefined,
    // The server receives webhooks itself.
    receiveWebhook: undefined,
  };
}

function cloudOf(http: Http, agent: string): Cloud {
  const place = `/api/cloud/${encodeURIComponent(agent)}`;
  const one = (id: string): string => `${place}/agents/${encodeURIComponent(id)}`;
  return {
    list: ({ limit, cursor, archived, pullRequest } = {}) => http.get(place, { limit, cursor, archived, pullRequest }),
    get: (id) => http.get(one(id)),
    idOf: (state) => http.field("id", `${place}/id`, { state }),
    stop: async (id) => (await http.post<{ readonly stopped: boolean }>(`${one(id)}/stop`)).stopped,
    archive: async (id) => void (await http.post(`${one(id)}/archive`)),
    unarchive: async (id) => void (await http.post(`${one(id)}/unarchive`)),
    remove: async (id) => void (await http.delete(one(id))),
    artifacts: (id) => http.field("artifacts", `${one(id)}/artifacts`),
    artifactUrl: (id, path) => http.get(`${one(id)}/artifact-url`, { path }),
    usage: (id) => http.field("runs", `${one(id)}/usage`),
    me: () => http.get(`${place}/account`),
    repositories: () => http.field("repositories", `${place}/repositories`),
    conversation: (id) => http.field("events", `${one(id)}/conversation`),
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
