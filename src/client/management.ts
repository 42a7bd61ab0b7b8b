/** One agent of the server's machine. */
import type { Cloud, Management } from "../core/api.ts";
import type {
  AboutAnswer,
  ConversationAnswer,
  HooksAnswer,
  ManagementAnswer,
  McpAnswer,
  McpToolsAnswer,
  ModelsAnswer,
} from "../server/schemas/agents.ts";
import { absolute } from "./body.ts";
import { cloudOf } from "./cloud.ts";
import type { ClientContext } from "./context.ts";

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
    webhook: undefined,
  };
}
