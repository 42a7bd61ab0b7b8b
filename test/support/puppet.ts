/** An agent that a test controls: it sends the events the test gives it, and records its calls. */
import type { Agent, AgentEntry, AgentSession, Answer, OpenOptions, PromptInput } from "../../src/agents/contract.ts";
import { can, holdsEveryTool, noCapabilities, type Capabilities } from "../../src/events/capabilities.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { modes, type Mode } from "../../src/events/modes.ts";
import { ReinsError } from "../../src/events/errors.ts";

export interface PuppetSession extends AgentSession {
  readonly options: OpenOptions;
  readonly prompts: PromptInput[];
  readonly steered: PromptInput[];
  readonly answers: { requestId: string; answer: Answer }[];
  readonly changes: { model?: string | undefined; mode?: Mode | undefined }[];
  cancels: number;
  closed: boolean;
  /** How many batches were read. */
  pulled: number;
  say(...events: AgentEvent[]): void;
  die(): void;
  explode(error: Error): void;
}

export interface Puppet {
  readonly entry: AgentEntry;
  readonly sessions: PuppetSession[];
  readonly session: PuppetSession;
  onPrompt: (session: PuppetSession, input: PromptInput) => void | Promise<void>;
  onCancel: (session: PuppetSession) => void | Promise<void>;
  onOpen: (options: OpenOptions) => void | Promise<void>;
  /** How often it was told to recover after a crash. */
  recovered: number;
}

export const puppetCapabilities: Capabilities = {
  ...noCapabilities,
  ...can("deltas", "thinking", "resume", "fork", "steer", "cancelKeepsProcess"),
  modes,
  ...can("changeModel", "changeMode", "images", "files"),
  systemPrompt: ["append"],
  ...can("questions", "planApproval", "subagents", "backgroundTasks", "changedInput", "allowAlways"),
  ...holdsEveryTool,
  ...can("exitCodes", "knowsModels", "givesUp", "cost", "limits"),
  asksAgain: ["cut"],
  usage: "turn",
};

export function createPuppet(
  options: {
    id?: string;
    steer?: boolean;
    images?: boolean;
    modes?: readonly Mode[];
    keepsEdits?: boolean;
    ready?: boolean;
    history?: boolean;
    capabilities?: Partial<Capabilities>;
  } = {},
): Puppet {
  const id = options.id ?? "puppet";
  const sessions: PuppetSession[] = [];
  const puppet: Puppet = {
    sessions,
    get session() {
      const session = sessions.at(-1);
      if (session === undefined) throw new Error("The puppet has no session.");
      return session;
    },
    onPrompt: () => {},
    onCancel: (session) => session.say({ type: "turn.ended", outcome: "cancelled" }),
    onOpen: () => {},
    recovered: 0,
    entry: {
      id,
      name: "Puppet",
      servesModel: (model) => model.startsWith("string-"),
      load: () => Promise.resolve({ createAgent: () => agent }),
    },
  };
  const agent: Agent = {
    id,
    name: "Puppet",
    capabilities: {
      ...puppetCapabilities,
      modes: options.modes ?? modes,
      keepsEdits: options.keepsEdits ?? false,
      images: options.images ?? true,
      history: options.history ?? false,
      ...options.capabilities,
    },
    probe: () =>
      Promise.resolve({ ready: options.ready ?? true, installed: true, signedIn: "yes", help: "Pull its strings." }),
    manage: { login: () => Promise.resolve({ command: "true", args: [] }) },
    recover() {
      puppet.recovered++;
      return Promise.reject(new Error("There is nothing to repair."));
    },
    async open(opened) {
      await puppet.onOpen(opened);
      if (opened.state !== undefined && !opened.state.startsWith(`${id}:1:`))
        throw new ReinsError("session_not_found", "Not mine.");
      const session = openPuppet(puppet, opened, options.steer ?? true, opened.state ?? `${id}:1:${sessions.length}`);
      sessions.push(session);
      return session;
    },
  };
  return puppet;
}

function openPuppet(puppet: Puppet, options: OpenOptions, steers: boolean, state: string): PuppetSession {
  const batches: (readonly AgentEvent[] | Error)[] = [];
  let over = false;
  let wake = Promise.withResolvers<void>();
  const poke = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  async function* events() {
    for (;;) {
      const batch = batches.shift();
      if (batch instanceof Error) throw batch;
      if (batch !== undefined) {
        session.pulled++;
        yield batch;
      } else if (over) return;
      else await wake.promise;
    }
  }
  const session: PuppetSession = {
    options,
    prompts: [],
    steered: [],
    answers: [],
    changes: [],
    cancels: 0,
    closed: false,
    pulled: 0,
    state,
    events: events(),
    async prompt(input) {
      session.prompts.push(input);
      await puppet.onPrompt(session, input);
    },
    ...(steers && {
      steer: (input: PromptInput) => {
        session.steered.push(input);
        return Promise.resolve();
      },
    }),
    answer: (requestId, answer) => void session.answers.push({ requestId, answer }),
    configure: (change) => {
      session.changes.push(change);
      return Promise.resolve();
    },
    async cancel() {
      session.cancels++;
      await puppet.onCancel(session);
    },
    close() {
      session.closed = true;
      over = true;
      poke();
      return Promise.resolve();
    },
    say(...said) {
      batches.push(said);
      poke();
    },
    die() {
      over = true;
      poke();
    },
    explode(error) {
      batches.push(error);
      poke();
    },
  };
  return session;
}
