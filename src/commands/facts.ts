/** Collects the data of `/status`, `/models` and `/mcp`; `reins status`, `models` and `mcp list` print the same. */
import type { AgentStatus, Management, Reins } from "../core/api.ts";
import { toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import { modeName } from "../view/mode-names.ts";
import {
  emailOf,
  mcpVerdict,
  type McpVerdict,
  type PlatformFacts,
  type SessionFacts,
  type StatusFacts,
} from "../view/slash/facts.ts";

type Model = Awaited<ReturnType<Management["models"]>>[number];
type McpServer = Awaited<ReturnType<Management["mcp"]["list"]>>[number];

export type ManagementCommand = Awaited<ReturnType<Management["login"]>>;
export type ListedModel = Model & { readonly default: boolean; readonly current: boolean };
export type ListedServer = McpServer & McpVerdict;

export interface StatusRequest {
  /** An agent id. */
  readonly agent: string;
  /** The folder whose last session is used when no session is named. */
  readonly cwd?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly platform?: PlatformFacts | undefined;
  /** List the MCP servers too, which some agents have to start for it. Default: true. */
  readonly mcp?: boolean | undefined;
}

/** Everything about one agent. Parts that the agent cannot report are left out. */
export async function statusFacts(
  reins: Pick<Reins, "agent" | "manage" | "sessions">,
  { agent: id, cwd, sessionId, model, mode, platform, mcp = true }: StatusRequest,
): Promise<AgentStatus & StatusFacts> {
  const manage = await reins.manage(id);
  const [agent, about, servers, session] = await Promise.all([
    reins.agent(id),
    manage.about().catch(() => []),
    mcp ? mcpFacts(manage, cwd).catch(reasonWords) : undefined,
    sessionFacts(reins, { agent: id, cwd, sessionId }),
  ]);
  const chosenMode = mode ?? session?.mode;
  const listed = typeof servers === "string" ? { mcpHelp: servers } : { mcp: servers };
  return {
    ...agent,
    email: emailOf(agent, about),
    ...modelInUse(agent.models ?? [], model),
    mode: chosenMode,
    modeName: chosenMode && modeName(chosenMode, agent.capabilities),
    session,
    platform,
    ...listed,
    about,
  };
}

/** One sentence on why a value is unknown: the help text if the agent does not support it, else the error message. */
function reasonWords(thrown: unknown): string {
  const { code, message, help } = toReinsError(thrown);
  return code === "unsupported" && help !== undefined ? help : message;
}

/** The named session, else the agent's last one in the folder. Undefined when nothing is stored. */
export async function sessionFacts(
  { sessions }: Pick<Reins, "sessions">,
  { agent, cwd, sessionId }: Pick<StatusRequest, "cwd" | "sessionId"> & { readonly agent?: string | undefined },
): Promise<(SessionFacts & { readonly mode?: Mode | undefined }) | undefined> {
  try {
    const found =
      sessionId === undefined
        ? (await sessions.list({ cwd, agent, limit: 1 }))[0]
        : await sessions.get(sessionId).catch(() => ({ id: sessionId, turns: 0, mode: undefined }));
    return found && { id: found.id, turns: found.turns, mode: found.mode };
  } catch {
    return undefined;
  }
}

function modelInUse(models: readonly Model[], chosen: string | undefined): Pick<StatusFacts, "model" | "defaultModel"> {
  const listed = modelMarks(models);
  const current = listed.find((model) => model.current)?.id;
  return { model: chosen ?? current, defaultModel: listed.find((model) => model.default)?.id };
}

/** `chosen` is the model of the session. Without it the agent's own mark is used, else its default. */
export async function modelFacts(
  manage: Pick<Management, "models">,
  { chosen, fresh = false }: { readonly chosen?: string | undefined; readonly fresh?: boolean } = {},
): Promise<readonly ListedModel[]> {
  return modelMarks(await manage.models({ fresh }), chosen);
}

function modelMarks(models: readonly Model[], chosen?: string): readonly ListedModel[] {
  const current =
    models.find(({ id }) => id === chosen) ??
    (chosen === undefined
      ? (models.find((model) => model.current) ?? models.find((model) => model.default))
      : undefined);
  return models.map((model) => ({ ...model, default: model.default === true, current: model === current }));
}

export async function mcpFacts(
  { mcp }: Pick<Management, "mcp">,
  cwd: string | undefined,
): Promise<readonly ListedServer[]> {
  return (await mcp.list({ cwd })).map((server) => ({ ...server, ...mcpVerdict(server) }));
}
