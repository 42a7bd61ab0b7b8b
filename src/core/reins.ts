import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { agentEntries } from "../agents/index.ts";
import { variableOf } from "../agents/variable.ts";
import type { Agent, ModelContext } from "../agents/contract.ts";
import { deadlinesWith } from "../events/deadlines.ts";
import { ReinsError } from "../events/errors.ts";
import { limitsWith } from "../events/limits.ts";
import { modes } from "../events/modes.ts";
import { createRedactor } from "../events/redact.ts";
import { createProcesses } from "../process/index.ts";
import type {
  AgentStatus,
  ContextRequest,
  Prompt,
  Reins,
  ReinsOptions,
  Session,
  SessionOptions,
  Turn,
  TurnOptions,
} from "./api.ts";
import { openRepository } from "./changes.ts";
import { cleanError } from "./clean-error.ts";
import { loadConfiguration } from "./configuration.ts";
import { withLocale } from "./locale.ts";
import { createMemoryLog } from "./memory-log.ts";
import { refuseMode } from "./policy.ts";
import { promptInput } from "./prompt.ts";
import { liveLimitsOf, poolLimitsOf } from "./warmth.ts";
import { LiveAgents } from "./live-agents.ts";
import { managementOf } from "./management.ts";
import { ModelLists } from "./model-lists.ts";
import { doubts, ownName, serves } from "./models.ts";
import { Registry } from "./registry.ts";
import { sessionRedactor } from "./secrets.ts";
import { CoreSession } from "./session.ts";
import { brokenStatus, statusOf, withModels } from "./status.ts";
import { TurnHandle } from "./turn-handle.ts";
import { WarmPool } from "./warm-pool.ts";

/** One Reins: its agents, its sessions, and every process they start. */
export function createReins(options: ReinsOptions = {}): Reins {
  const env = options.env ?? process.env;
  const deadlines = deadlinesWith(options.deadlines);
  const limits = limitsWith(options.limits);
  const redact = createRedactor(env);
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: options.guardian ?? true });
  const registry = new Registry([...agentEntries, ...(options.agents ?? [])], {
    processes,
    env,
    deadlines,
    limits,
    redact,
  });
  const models = new ModelLists(env);
  const live = new LiveAgents({
    limits: liveLimitsOf(options.warm),
    memory: () => processes.memory?.() ?? Promise.resolve(undefined),
  });
  const pool = new WarmPool(poolLimitsOf(options.warm));
  const log = createMemoryLog(limits);
  const sessions = new Set<CoreSession>();
  let closing: Promise<void> | undefined;
  // What an earlier Reins left behind is ended in the background; nothing waits for it.
  const reaped = processes.reap().catch(() => {});

  const refuse = (thrown: unknown): never => {
    throw cleanError(thrown, redact);
  };

  function refuseClosed(): void {
    if (closing !== undefined) throw new ReinsError("invalid_input", "This Reins is closed.");
  }

  /** Which agent is meant, and with what it is opened. */
  async function choose(wanted: SessionOptions) {
    refuseClosed();
    const cwd = await folder(wanted.cwd ?? process.cwd());
    const configured = await loadConfiguration(cwd, env);
    const asked = wanted.model ?? options.defaults?.model;
    const agent = await registry.choose({ ...wanted, model: asked }, options.defaults?.agent ?? configured.agent);
    const mode = wanted.mode ?? options.defaults?.mode ?? configured.mode ?? "ask";
    if (!modes.includes(mode)) {
      throw new ReinsError("invalid_input", `There is no mode ${String(mode)}.`, {
        help: `Choose one of ${modes.join(", ")}.`,
      });
    }
    refuseMode(agent, mode);
    refuseClosed();
    const entry = registry.entryOf(agent.id);
    const named = asked ?? (env[variableOf(agent.id, "MODEL")] || configuredModel(registry, agent, configured.model));
    return { cwd, configured, agent, entry, mode, model: named && ownName(entry, named) };
  }

  /** `made` is called before the agent is started, so that whoever no longer wants it can close it meanwhile. */
  async function openSession(
    wanted: SessionOptions,
    { made, ahead = false }: { made?: (session: CoreSession) => void; ahead?: boolean } = {},
  ): Promise<CoreSession> {
    const { cwd, configured, agent, entry, mode, model } = await choose(wanted);
    const told = withLocale(agent, wanted);
    const resolved = { ...wanted, agent: agent.id, cwd, mode, model };
    const kept = ahead ? pool.peek(resolved) : pool.take(resolved)?.adopt(wanted);
    if (kept !== undefined) {
      made?.(kept);
      return kept;
    }
    const id = `ses_${crypto.randomUUID()}`;
    const hide = sessionRedactor(redact, env, wanted);
    const session = new CoreSession({
      id,
      cwd,
      agent,
      log: log.open(id),
      repository: openRepository(processes, cwd, env),
      redact: hide,
      deadlines,
      limits,
      mode,
      toSay: [
        ...remarks("divergence", wanted.mode === undefined ? configured.ignored.mode : undefined),
        ...remarks("divergence", wanted.agent === undefined ? configured.ignored.agent : undefined),
        ...remarks("model_unknown", model && doubts(entry, model, await models.remembered(agent.id))),
      ],
      options: { ...told, model },
      ownModel: (name) => ownName(entry, name),
      onRefused: () => registry.readiness.drop(agent.id),
      onClose: () => sessions.delete(session),
      live,
    });
    sessions.add(session);
    made?.(session);
    try {
      await session.open();
    } catch (thrown) {
      await session.close();
      throw cleanError(thrown, hide);
    }
    if (ahead) await pool.keep(resolved, session);
    return session;
  }

  async function runOnce(handle: TurnHandle, prompt: Prompt, wanted: SessionOptions & TurnOptions): Promise<void> {
    let session: CoreSession | undefined;
    try {
      handle.cancelOn(wanted.signal);
      if (handle.cancelledEarly) return;
      session = await openSession(wanted, { made: (made) => void handle.result.catch(() => made.close()) });
      if (handle.cancelledEarly) return;
      session.submit(handle, prompt, wanted);
      await handle.result;
    } catch (thrown) {
      handle.refuse(cleanError(thrown, redact));
    } finally {
      await session?.close();
    }
  }

  async function contextFor({ prompt, resume, ...wanted }: ContextRequest): Promise<ModelContext> {
    const { cwd, agent, mode, model } = await choose({ ...wanted, resume });
    if (agent.context === undefined) {
      throw new ReinsError("unsupported", `${agent.name} does not tell what it sends to its model.`, {
        agent: agent.id,
      });
    }
    const sessionId = `ses_${crypto.randomUUID()}`;
    const input = prompt === undefined ? undefined : promptInput(prompt, limits.promptBytes);
    const shown = await agent.context({ ...wanted, sessionId, cwd, mode, model, state: resume, prompt: input });
    return sessionRedactor(redact, env, wanted).deep(shown);
  }

  async function status(agent: Agent, fresh = false): Promise<AgentStatus> {
    const found = await registry.readiness.of(agent, fresh);
    return statusOf(agent, found, { entry: registry.entryOf(agent.id), redact, env });
  }

  async function statusWithModels(id: string): Promise<AgentStatus> {
    const agent = await registry.get(id);
    return withModels(await status(agent), agent.manage.models && (() => models.of(agent)));
  }

  async function close(): Promise<void> {
    pool.empty();
    await Promise.all([...sessions].map((session) => session.close()));
    await reaped;
    await processes.close();
  }

  const reins: Reins = {
    agents: ({ fresh = false } = {}) =>
      Promise.all(
        registry.entries.map((entry) =>
          registry
            .get(entry.id)
            .then((agent) => status(agent, fresh))
            .catch((thrown: unknown) => brokenStatus(entry, cleanError(thrown, redact))),
        ),
      ),
    agent: (id) => statusWithModels(id).catch(refuse),
    manage: (id) =>
      registry
        .get(id)
        .then((agent) => managementOf({ agent, readiness: registry.readiness, models, redact }))
        .catch(refuse),
    session: (wanted: SessionOptions = {}): Promise<Session> => openSession(wanted).catch(refuse),
    warm: (wanted: SessionOptions = {}) =>
      openSession(wanted, { ahead: true })
        .then(() => undefined)
        .catch(refuse),
    run(prompt: Prompt, wanted: SessionOptions & TurnOptions = {}): Turn {
      const handle = new TurnHandle();
      void runOnce(handle, prompt, wanted);
      return handle;
    },
    context: (wanted: ContextRequest = {}) => contextFor(wanted).catch(refuse),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => reins.close(),
  };
  return reins;
}

/** The configured model, where this agent is the one it was meant for. */
function configuredModel(registry: Registry, agent: Agent, model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  const owners = registry.entries.filter((entry) => serves(entry, model));
  return owners.length === 0 || owners.some((entry) => entry.id === agent.id) ? model : undefined;
}

function remarks<Code extends string>(code: Code, message: string | undefined): { code: Code; message: string }[] {
  return message === undefined || message === "" ? [] : [{ code, message }];
}

async function folder(cwd: string): Promise<string> {
  const path = resolve(cwd);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  if (!found.isDirectory()) throw new ReinsError("invalid_input", `${path} is not a folder.`);
  return realpath(path);
}
