import { agentEntries } from "../agents/index.ts";
import type { Agent, ModelContext } from "../agents/contract.ts";
import { deadlinesWith } from "../events/deadlines.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { ErrorCode } from "../events/errors.ts";
import { limitsWith } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import { createProcesses } from "../process/index.ts";
import type {
  AgentStatus,
  ContextRequest,
  Management,
  Prompt,
  Reins,
  ReinsOptions,
  Session,
  SessionOptions,
  Turn,
  TurnOptions,
} from "./api.ts";
import { openRepository } from "./changes.ts";
import { Choosing } from "./choosing.ts";
import type { Chosen } from "./choosing.ts";
import { cleanError } from "./clean-error.ts";
import { withLocale } from "./locale.ts";
import { loadPersonsAgents } from "./configuration.ts";
import type { AgentSettings } from "./configuration.ts";
import { configuredEntries, withVariables } from "./configured-agents.ts";
import { createMemoryLog } from "./memory-log.ts";
import { promptInput } from "./prompt.ts";
import { liveLimitsOf, poolLimitsOf } from "./warmth.ts";
import { LiveAgents } from "./live-agents.ts";
import { managementOf } from "./management.ts";
import { ModelLists } from "./model-lists.ts";
import { ownName } from "./models.ts";
import { Registry } from "./registry.ts";
import { sessionRedactor } from "./secrets.ts";
import { CoreSession } from "./session.ts";
import type { Remark } from "./session.ts";
import { brokenStatus, statusOf, withModels } from "./status.ts";
import { TurnHandle } from "./turn-handle.ts";
import { poolKey, WarmPool } from "./warm-pool.ts";

/** One Reins: its agents, its sessions, and every process they start. */
export function createReins(options: ReinsOptions = {}): Reins {
  const env = options.env ?? process.env;
  const deadlines = deadlinesWith(options.deadlines);
  const limits = limitsWith(options.limits);
  /** All there are that could be secret; what is set for an agent is known once the configuration was read. */
  let variables = env;
  let configured: Readonly<Record<string, AgentSettings>> = {};
  let redact = createRedactor(env);
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: options.guardian ?? true });
  const registry = new Registry([...agentEntries, ...(options.agents ?? [])], {
    processes,
    env,
    deadlines,
    limits,
    redact,
  });
  const models = new ModelLists(env);
  const choosing = new Choosing(registry, models, { env, defaults: options.defaults });
  const live = new LiveAgents({
    limits: liveLimitsOf(options.warm),
    memory: () => processes.memory?.() ?? Promise.resolve(undefined),
  });
  const pooling = poolLimitsOf(options.warm);
  const pool = new WarmPool<CoreSession>(pooling);
  const log = createMemoryLog(limits);
  const sessions = new Set<CoreSession>();
  let closing: Promise<void> | undefined;
  // What an earlier Reins left behind is ended in the background; nothing waits for it.
  const reaped = processes.reap().catch(() => {});

  const refuse = (thrown: unknown): never => {
    throw cleanError(thrown, redact);
  };

  let learning: Promise<void> | undefined;
  /** The agents of the person's configuration are read once, and again where they could not be. */
  const learnt = (): Promise<void> =>
    (learning ??= learn().catch((thrown: unknown) => {
      learning = undefined;
      throw thrown;
    }));

  async function learn(): Promise<void> {
    const agents = await loadPersonsAgents(env);
    registry.learn(configuredEntries(registry.entries, agents));
    configured = agents;
    variables = withVariables(env, agents);
    redact = createRedactor(variables);
  }

  function refuseClosed(): void {
    if (closing !== undefined) throw new ReinsError("invalid_input", "This Reins is closed.");
  }

  /** What says that an agent is not ready after all. */
  function failed({ id }: Agent, code: ErrorCode): void {
    if (unready.has(code)) registry.readiness.drop(id);
  }

  function newSession(wanted: SessionOptions, chosen: Chosen, toSay: readonly Remark[]): CoreSession {
    const { cwd, agent, entry, mode, model, fallbackModel } = chosen;
    const id = `ses_${crypto.randomUUID()}`;
    const session = new CoreSession({
      id,
      cwd,
      agent,
      log: log.open(id),
      repository: openRepository(processes, cwd, env),
      redact: sessionRedactor(redact, variables, wanted),
      deadlines,
      limits,
      mode,
      toSay,
      options: { ...withLocale(agent, wanted), model, fallbackModel },
      ownModel: (name) => ownName(entry, name),
      onFailed: (code) => failed(agent, code),
      onClose: () => {
        sessions.delete(session);
        pool.forget(session);
      },
      live,
    });
    sessions.add(session);
    return session;
  }

  /** `made` is called before the agent is started, so that whoever no longer wants it can close it meanwhile. */
  async function openSession(
    wanted: SessionOptions,
    { made, ahead = false }: { made?: (session: CoreSession) => void; ahead?: boolean } = {},
  ): Promise<CoreSession> {
    refuseClosed();
    await learnt();
    const chosen = await choosing.choose(wanted);
    const toSay = await choosing.remarks(wanted, chosen);
    refuseClosed();
    const { agent, cwd, folder, mode, model } = chosen;
    const key = poolKey({ ...wanted, agent: agent.id, cwd, mode, model }, folder);
    const kept = ahead ? pool.peek(key) : pool.take(key);
    const session = kept ?? newSession(wanted, chosen, toSay);
    if (!ahead) kept?.adopt(wanted, toSay);
    made?.(session);
    try {
      await Promise.all([session.open(), ahead && kept === undefined && pool.keep(key, session)]);
    } catch (thrown) {
      failed(agent, toReinsError(thrown).code);
      await session.close();
      throw cleanError(thrown, sessionRedactor(redact, variables, wanted));
    }
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
    refuseClosed();
    await learnt();
    const { cwd, agent, mode, model, fallbackModel } = await choosing.choose({ ...wanted, resume });
    if (agent.context === undefined) {
      throw new ReinsError("unsupported", `${agent.name} does not tell what it sends to its model.`, {
        agent: agent.id,
      });
    }
    const sessionId = `ses_${crypto.randomUUID()}`;
    const input = prompt === undefined ? undefined : promptInput(prompt, limits.promptBytes);
    const shown = await agent.context({
      ...withLocale(agent, wanted),
      sessionId,
      cwd,
      mode,
      model,
      fallbackModel,
      state: resume,
      prompt: input,
    });
    return sessionRedactor(redact, variables, wanted).deep(shown);
  }

  async function status(agent: Agent, fresh = false): Promise<AgentStatus> {
    const found = await registry.readiness.of(agent, fresh);
    const own = { ...env, ...configured[agent.id]?.env };
    return statusOf(agent, found, { entry: registry.entryOf(agent.id), redact, env: own });
  }

  async function statusWithModels(id: string): Promise<AgentStatus> {
    await learnt();
    const agent = await registry.get(id);
    return withModels(await status(agent), agent.manage.models && (() => managementFor(agent).models()));
  }

  function managementFor(agent: Agent): Management {
    return managementOf({ agent, readiness: registry.readiness, models, redact });
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map((session) => session.close()));
    await reaped;
    await processes.close();
  }

  const reins: Reins = {
    agents: async ({ fresh = false } = {}) => {
      // A configuration that cannot be used is told by what needs it; what is here can be looked at all the same.
      await learnt().catch(() => {});
      return Promise.all(
        registry.entries.map((entry) =>
          registry
            .get(entry.id)
            .then((agent) => status(agent, fresh))
            .catch((thrown: unknown) => brokenStatus(entry, cleanError(thrown, redact))),
        ),
      );
    },
    agent: (id) => statusWithModels(id).catch(refuse),
    manage: (id) =>
      learnt()
        .then(() => registry.get(id))
        .then(managementFor)
        .catch(refuse),
    session: (wanted: SessionOptions = {}): Promise<Session> => openSession(wanted).catch(refuse),
    warm: async (wanted: SessionOptions = {}) => {
      if (pooling.size > 0) await openSession(wanted, { ahead: true }).catch(refuse);
    },
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

const unready: ReadonlySet<ErrorCode> = new Set(["not_installed", "not_authenticated", "version_unsupported"]);
