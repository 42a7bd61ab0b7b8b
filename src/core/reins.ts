import { realpath } from "node:fs/promises";
import { agentEntries } from "../agents/index.ts";
import type { Agent, ModelContext } from "../agents/contract.ts";
import { deadlinesWith } from "../events/deadlines.ts";
import { ReinsError, toReinsError, type ErrorCode } from "../events/errors.ts";
import { limitsWith } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import { currentFolder } from "../process/launch/current-folder.ts";
import { createProcesses } from "../process/index.ts";
import { stateHome } from "../process/home.ts";
import { newMark } from "../process/table/markers.ts";
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
import { agentFileInfos, agentFileVariables } from "./config/agent-files.ts";
import { openRepository } from "../workspace/snapshot.ts";
import { nothingSpent } from "./budget/budget.ts";
import { AgentSelector, type SessionPlan } from "./select/select-agent.ts";
import { cleanError, sessionRedactor } from "./redaction.ts";
import { cloudAgents } from "./catalog/remote-agents.ts";
import { withLocale } from "./select/locale.ts";
import { loadPersonsAgents, type AgentSettings } from "./config/config.ts";
import { configuredEntries, withVariables } from "./catalog/configured-agents.ts";
import { LogOpener, newSessionId, type Resumed } from "./log/open-log.ts";
import { keptSessions, usageOf } from "./log/kept-sessions.ts";
import type { StoredSession } from "./log/types.ts";
import { createMemoryLog } from "./log/memory-log.ts";
import { SessionLeases } from "./log/leases.ts";
import { lazyComparisons } from "./comparisons/lazy.ts";
import type { LocalComparisons } from "./comparisons/local.ts";
import { policyView } from "./policy/policy-view.ts";
import { promptInput } from "./session/prompt-input.ts";
import { liveLimitsOf, poolKey, poolLimitsOf, WarmPool } from "./pool/warm-pool.ts";
import { agentsThatKeep } from "./log/import.ts";
import { LiveAgents } from "./pool/live-agents.ts";
import { managementOf } from "./catalog/management.ts";
import { ModelLists } from "./catalog/model-lists.ts";
import { ownName } from "./select/model-names.ts";
import type { Repositories } from "./repository/repositories.ts";
import { Registry } from "./catalog/registry.ts";
import { CircuitBreaker, breakersOf } from "./route/circuit-breaker.ts";
import { routeFor } from "./route/candidates.ts";
import type { Route } from "./route/session-route.ts";
import { brokenStatus, running, statusOf, withModels } from "./catalog/status.ts";
import {
  refuseNoFork,
  refuseNothingToHandOver,
  refuseOtherAgent,
  refuseOtherFolder,
  refuseSameAgent,
  resumedMode,
  resumedOptions,
} from "./select/resume.ts";
import { MemoryDays, spentIn, storedDays } from "./budget/spend-history.ts";
import { CoreSession } from "./session/session.ts";
import type { StartNotice } from "./session/state.ts";
import { TurnHandle } from "./session/turn-handle.ts";

/** Creates a Reins, which owns its agents, its sessions and every process they start. Close it when done. */
export function createReins(options: ReinsOptions = {}): Reins {
  const env = options.env ?? process.env;
  const deadlines = deadlinesWith(options.deadlines);
  const limits = limitsWith(options.limits);
  /** All variables that may be secret. Those of single agents are known once the configuration is read. */
  let variables = env;
  let configured: Readonly<Record<string, AgentSettings>> = {};
  let redact = createRedactor(env);
  const runId = newMark();
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: options.guardian ?? true, runId });
  const context = { processes, env, deadlines, limits, redact };
  const registry = new Registry([...agentEntries, ...(options.agents ?? [])], context);
  const agentIds = (): readonly string[] => registry.entries.map(({ id }) => id);
  const models = new ModelLists(env);
  const choosing = new AgentSelector(registry, models, { ...options, env });
  const live = new LiveAgents({
    limits: liveLimitsOf(options.warm),
    memory: () => processes.memory?.() ?? Promise.resolve(undefined),
  });
  const pooling = poolLimitsOf(options.warm);
  const pool = new WarmPool<CoreSession>(pooling);
  const { store } = options;
  const days = store === undefined ? new MemoryDays() : storedDays(store);
  const ownership =
    store && new SessionLeases({ store, run: runId, redact: () => redact, reap: () => processes.reap() });
  const keeping = new LogOpener(store, createMemoryLog(limits), ownership);
  const breaker = new CircuitBreaker(breakersOf(store));
  const sessions = new Set<CoreSession>();
  let closing: Promise<void> | undefined;
  // Clean up after an earlier Reins in the background; nothing waits for it.
  const reaped = processes.reap().catch(() => {});

  const refuse = (thrown: unknown): never => {
    throw cleanError(thrown, redact);
  };

  let learning: Promise<void> | undefined;
  /** Reads the agents of the user's configuration once, and again after a failure. */
  const learnt = (): Promise<void> =>
    (learning ??= learn().catch((thrown: unknown) => {
      learning = undefined;
      throw thrown;
    }));

  async function learn(): Promise<void> {
    const [agents, ofFiles] = await Promise.all([loadPersonsAgents(env), agentFileVariables(env)]);
    registry.learn(configuredEntries(registry.entries, agents));
    configured = agents;
    variables = { ...withVariables(env, agents), ...ofFiles };
    redact = createRedactor(variables);
  }

  function refuseClosed(): void {
    if (closing !== undefined) throw new ReinsError("invalid_input", "This Reins is closed.");
  }

  function failed(id: string, code: ErrorCode): void {
    if (unready.has(code)) registry.readiness.drop(id);
  }

  function newSession(
    wanted: SessionOptions,
    chosen: SessionPlan,
    remarks: readonly StartNotice[],
    resumed: Resumed | undefined,
    route: Route,
  ): CoreSession {
    const { cwd, agent, entry, mode, model, fallbackModel, held } = chosen;
    const id = resumed?.session.id ?? newSessionId();
    const previousAgent = wanted.handoff === undefined ? undefined : resumed?.session.agent;
    const fork = resumed?.fork === true && previousAgent === undefined;
    const onTrouble = (message: string): void => session.warn("store", message);
    const { forbidden } = chosen;
    const { agentFile } = chosen.asked;
    const { log, put, startNotices } = keeping.open(id, { cwd, mode, model, agentFile, forbidden, onTrouble });
    const session = new CoreSession({
      id,
      cwd,
      active: {
        name: route.names[0]!,
        agent,
        // A stored session continues from its own state, not from a given one.
        options: {
          ...withLocale(agent, wanted),
          tools: held.tools,
          model,
          fallbackModel,
          ...(resumed && { fork, resume: fork ? resumed.session.state : undefined }),
        },
        ownModel: (name) => ownName(entry, name),
        policy: held.policy,
      },
      previousAgent,
      route,
      log,
      put,
      resumed,
      repository: openRepository(processes, cwd, env),
      following: {
        budget: wanted.budget,
        days,
        before: store === undefined || resumed === undefined ? nothingSpent : spentIn(store, resumed.session.id),
        fresh: resumed === undefined && wanted.resume === undefined,
        after: wanted.after,
        afterSource: chosen.asked.projectsAfter ? "project" : "user",
        rules: wanted.continue,
        processes,
        env,
      },
      redact: sessionRedactor(redact, variables, wanted),
      deadlines,
      limits: { ...limits, messageBytes: wanted.messageBytes ?? limits.messageBytes },
      mode,
      startNotices: [...startNotices, ...remarks],
      onAgentFailure: failed,
      onClose: () => {
        sessions.delete(session);
        pool.forget(session);
      },
      live,
    });
    sessions.add(session);
    return session;
  }

  /** `made` is called before the agent starts, so that a caller that no longer wants the session can close it. */
  async function openSession(
    called: SessionOptions,
    { made, ahead = false }: { made?: (session: CoreSession) => void; ahead?: boolean } = {},
  ): Promise<CoreSession> {
    refuseClosed();
    await learnt();
    const earlier = await keeping.find(called);
    if (earlier === undefined) refuseNothingToHandOver(called);
    const chosen = chosenFor(
      called,
      earlier,
      await choosing.choose(earlier === undefined ? called : resumedOptions(called, earlier)),
    );
    const wanted = chosen.asked.options;
    const startNotices = await choosing.remarks(chosen);
    const { agent, cwd, folder, mode, model, held } = chosen;
    const route = await routeFor({ choosing, registry, models, breaker, env }, chosen);
    const key = poolKey({ ...wanted, tools: held.tools, agent: agent.id, cwd, mode, model }, folder);
    const resumed =
      earlier === undefined || pool.peek(key) !== undefined
        ? undefined
        : await keeping.take(earlier, called.fork === true);
    await keeping.ready();
    const kept = resumed !== undefined ? undefined : ahead ? pool.peek(key) : pool.take(key);
    if (closing !== undefined && resumed !== undefined) keeping.giveBack(resumed);
    refuseClosed();
    const session = kept ?? newSession(wanted, chosen, startNotices, resumed, route);
    if (!ahead) kept?.claimWarm(wanted, startNotices, held.policy);
    made?.(session);
    try {
      await Promise.all([session.open(), ahead && kept === undefined && pool.keep(key, session)]);
    } catch (thrown) {
      failed(session.agent, toReinsError(thrown).code);
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

  async function contextFor({ prompt, resume, ...called }: ContextRequest): Promise<ModelContext> {
    refuseClosed();
    await learnt();
    const earlier = await keeping.find({ ...called, resume });
    const meant = earlier === undefined ? { ...called, resume } : resumedOptions({ ...called, resume }, earlier);
    const { cwd, agent, mode, model, fallbackModel, asked, held } = await choosing.choose(meant);
    const wanted = asked.options;
    const { id, name } = agent;
    if (agent.context === undefined)
      throw new ReinsError("unsupported", `${name} does not report what it sends to its model.`, { agent: id });
    const sessionId = newSessionId();
    const input = prompt === undefined ? undefined : promptInput(prompt, limits.promptBytes);
    const shown = await agent.context({
      ...withLocale(agent, wanted),
      tools: held.tools,
      sessionId,
      cwd,
      mode,
      model,
      fallbackModel,
      state: meant.resume,
      prompt: input,
    });
    return sessionRedactor(redact, variables, wanted).deep(shown);
  }

  async function status(agent: Agent, fresh = false): Promise<AgentStatus> {
    const found = await registry.readiness.of(agent, fresh);
    // On a fresh look the user may have signed in. Being ready says nothing about a limit.
    if (fresh && found.ready) breaker.signedIn(agent.id);
    const own = { ...env, ...configured[agent.id]?.env };
    return statusOf(agent, found, { entry: registry.entryOf(agent.id), redact, env: own });
  }

  async function statusWithModels(id: string): Promise<AgentStatus> {
    await learnt();
    const agent = await registry.get(id);
    return withModels(await status(agent), agent.manage.models && (() => managementFor(agent).models()));
  }

  function managementFor(agent: Agent): Management {
    return managementOf({ agent, readiness: registry.readiness, models, redact, breaker, limits });
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map((session) => session.close()));
    await (await comparisonsLoaded)?.close();
    await reaped;
    await processes.close();
  }

  let repositoriesLoaded: Promise<Repositories> | undefined;
  const repositories = (): Promise<Repositories> =>
    (repositoriesLoaded ??= import("./repository/repositories.ts").then(
      (loaded) => new loaded.Repositories({ processes, env, deadlines, redact: (text) => redact(text) }),
    ));

  let comparisonsLoaded: Promise<LocalComparisons> | undefined;
  const comparisons = async (): Promise<LocalComparisons> => {
    refuseClosed();
    return (comparisonsLoaded ??= import("./comparisons/local.ts").then(
      (loaded) => new loaded.LocalComparisons({ reins, env, redact: (text) => redact(text), onError: () => {} }),
    ));
  };

  const reins: Reins = {
    comparisons: lazyComparisons(comparisons, refuse),
    agents: async ({ fresh = false } = {}) => {
      // An invalid configuration is reported where it is needed; agents can still be listed.
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
    agentFiles: async ({ cwd = currentFolder() } = {}) => {
      await learnt().catch(() => {});
      return agentFileInfos(cwd, env, agentIds());
    },
    agent: (id) => statusWithModels(id).catch(refuse),
    manage: (id) =>
      learnt()
        .then(() => registry.get(id))
        .then(managementFor)
        .catch(refuse),
    repository: async ({ cwd = currentFolder() } = {}) => (await repositories()).status(cwd),
    repositoryAction: (request = {}) =>
      repositories()
        .then((known) => known.action({ ...request, cwd: request.cwd ?? currentFolder() }))
        .catch(refuse),
    clouds: () =>
      learnt()
        .then(() => cloudAgents(registry))
        .catch(refuse),
    cloudTarget: ({ cwd = currentFolder() } = {}) =>
      import("./repository/cloud-targets.ts").then((loaded) => loaded.cloudTargetOf(context, cwd)).catch(refuse),
    saveCloudTarget: (target, { cwd = currentFolder() } = {}) =>
      import("./repository/cloud-targets.ts")
        .then((loaded) => loaded.saveCloudTarget(context, cwd, target))
        .catch(refuse),
    session: (wanted: SessionOptions = {}): Promise<Session> => openSession(wanted).catch(refuse),
    warm: async (wanted: SessionOptions = {}) => {
      if (pooling.size > 0) await openSession(wanted, { ahead: true }).catch(refuse);
    },
    run(prompt: Prompt, wanted: SessionOptions & TurnOptions = {}): Turn {
      const handle = new TurnHandle(wanted.id);
      void runOnce(handle, prompt, wanted);
      return handle;
    },
    context: (wanted: ContextRequest = {}) => contextFor(wanted).catch(refuse),
    policy: async ({ cwd = currentFolder() } = {}) => {
      await learnt().catch(() => {});
      return realpath(cwd)
        .catch(() => refuse(new ReinsError("invalid_input", `The folder ${cwd} does not exist.`)))
        .then((folder) => policyView(folder, env, agentIds()))
        .catch(refuse);
    },
    sessions: keptSessions({
      keeping,
      refuse,
      redact: (text) => redact(text),
      importing: async (id) => {
        await learnt();
        return (await agentsThatKeep(registry, id)).map((agent) => ({ agent, redact, limits }));
      },
    }),
    usage: (since) => usageOf(keeping, since).catch(refuse),
    running: () => running(keeping, stateHome(env)).catch(refuse),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => reins.close(),
  };
  return reins;
}

/** A stored session continues in its folder, with its agent, and with no more rights than before. */
function chosenFor(wanted: SessionOptions, earlier: StoredSession | undefined, chosen: SessionPlan): SessionPlan {
  if (earlier === undefined) return chosen;
  refuseOtherFolder(earlier, chosen.cwd);
  if (wanted.handoff === undefined) refuseOtherAgent(earlier, chosen.agent.id);
  else refuseSameAgent(earlier, chosen.agent);
  if (wanted.fork === true || earlier.copied === true) refuseNoFork(chosen.agent);
  return { ...chosen, mode: resumedMode(wanted, earlier, chosen.mode) };
}

const unready: ReadonlySet<ErrorCode> = new Set(["not_installed", "not_authenticated", "version_unsupported"]);
