/** The agents of this machine and their readiness. */
import type { AgentFilesAnswer, AgentsAnswer, AgentAnswer, ModelsAnswer } from "../../server/schemas/agents.ts";
import { createResource, useResource, useTyped, type Resource } from "./remote.ts";

const resource = createResource<AgentsAnswer>("/api/agents");
const models = new Map<string, Resource<ModelsAnswer>>();

const none: readonly AgentAnswer[] = [];

export function useAgents() {
  const { value, loading, error } = useResource(resource);
  return { agents: value?.agents ?? none, loading: loading || (value === undefined && error === undefined), error };
}

export function useAgentNames(): (id: string) => string {
  const { agents } = useAgents();
  return (id) => agents.find((agent) => agent.id === id)?.name ?? id;
}

/** Delay before asking, because a folder may still be typed. */
const restMs = 120;
const noFiles: AgentFilesAnswer["files"] = [];

/** Agent files that apply in a folder; empty until loaded. */
export function useAgentFiles(cwd: string | undefined): AgentFilesAnswer["files"] {
  const path = cwd === undefined ? undefined : `/api/agent-files?cwd=${encodeURIComponent(cwd)}`;
  return useTyped<AgentFilesAnswer>(path, restMs).value?.files ?? noFiles;
}

/** Checks the machine again instead of using the cache. */
export function refreshAgents(): Promise<void> {
  return resource.load("/api/agents?fresh=true");
}

const noAgent = createResource<ModelsAnswer>("");
noAgent.store.set({ value: { models: [] }, loading: false, error: undefined });

/** Models of an agent. Only an agent that is ready can list them. */
export function useModels(agent: string | undefined): { models: ModelsAnswer["models"]; loading: boolean } {
  const isReady = useAgents().agents.some(({ id, ready }) => id === agent && ready);
  const remote = useResource(agent === undefined || !isReady ? noAgent : modelsOf(agent));
  return { models: remote.value?.models ?? [], loading: remote.value === undefined && remote.error === undefined };
}

function modelsOf(agent: string): Resource<ModelsAnswer> {
  const known = models.get(agent);
  if (known !== undefined) return known;
  const made = createResource<ModelsAnswer>(`/api/agents/${encodeURIComponent(agent)}/models`);
  models.set(agent, made);
  return made;
}
