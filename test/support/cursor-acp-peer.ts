/** A fake `agent acp` for tests of Cursor's folder: the test decides what it prints and answers. */
import { expect, vi } from "vitest";
import type { OpenOptions } from "../../src/agents/contract.ts";
import { createAgent } from "../../src/agents/cursor/index.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import type { LaunchSpec, Processes } from "../../src/process/types.ts";
import { testFolder } from "./core.ts";
import { StandInChild } from "./stand-in-child.ts";

export const chat = "0a1b2c3d-0000-4000-8000-000000000001";
const named = (...ids: string[]) => ids.map((id) => ({ value: id, modelId: id, id, name: id.split("[", 1)[0] }));
const models = named("default[]", "alpha-2[effort=high]", "alpha-2[effort=low]");
export const settings = {
  modes: { currentModeId: "agent", availableModes: named("agent", "plan", "ask") },
  models: { currentModelId: "default[]", availableModels: models },
  configOptions: [
    { id: "mode", category: "mode", type: "select", currentValue: "agent", options: named("agent", "plan", "ask") },
    { id: "model", category: "model", type: "select", currentValue: "default[]", options: models },
  ],
};
type Answer = { readonly result?: unknown; readonly error?: object };

export class Peer extends StandInChild {
  answers: Record<string, (params: Record<string, unknown>) => Answer> = {
    initialize: () => ({
      result: {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true },
          sessionCapabilities: { list: {} },
        },
        authMethods: [{ id: "cursor_login", name: "Cursor Login", description: "Run `agent login` first." }],
      },
    }),
    authenticate: () => ({ result: {} }),
    "session/new": () => ({ result: { sessionId: chat, ...settings } }),
    "session/load": () => ({ result: settings }),
    "session/set_config_option": () => ({ result: {} }),
  };

  override write(text: string): Promise<void> {
    const { id, method, params } = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
    };
    void super.write(text);
    if (method === undefined || id === undefined || method === "session/prompt") return Promise.resolve();
    const error = { code: -32601, message: "Method not found" };
    this.print({ id, ...(this.answers[method]?.(params ?? {}) ?? { error }) });
    return Promise.resolve();
  }

  asked(method: string): object[] {
    return this.received.filter((message) => message["method"] === method).map(({ params }) => params as object);
  }

  update(...updates: object[]): void {
    this.print(...updates.map((update) => ({ method: "session/update", params: { sessionId: chat, update } })));
  }
}

interface CursorOptions {
  readonly env?: Record<string, string>;
  readonly peer?: Peer;
  /** Peers, one for each start of the program. */
  readonly peers?: readonly Peer[];
  readonly version?: string;
  readonly status?: string;
}

let programs = 0;

export async function openCursor(
  options: Partial<OpenOptions> = {},
  { env, peers, peer = peers?.at(-1) ?? new Peer(), ...says }: CursorOptions = {},
) {
  const launched: LaunchSpec[] = [];
  const ran: string[] = [];
  const processes = {
    launch: (spec: LaunchSpec) => {
      launched.push(spec);
      return Promise.resolve(peers?.[launched.length - 1] ?? peer);
    },
    run: ({ args }: Pick<LaunchSpec, "args">) => {
      ran.push(args.at(-1)!);
      const stdout = args.includes("--version") ? (says.version ?? "2026.10.01-0a1b2c3") : (says.status ?? "");
      return Promise.resolve({ stdout, stderr: "", code: 0, signal: null, timedOut: false });
    },
  };
  const agent = createAgent({
    processes: processes as unknown as Processes,
    // A different program for each session: the answer to `--version` is cached per program.
    env: {
      REINS_CURSOR_COMMAND: JSON.stringify([process.execPath, `${++programs}`]),
      REINS_CURSOR_HOOKS: "off",
      ...env,
    },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
  const session = await agent.open({ sessionId: "s", cwd: testFolder(), mode: "ask", ...options });
  const events: AgentEvent[] = [];
  const over = (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  const seen = async <Type extends AgentEvent["type"]>(type: Type) => {
    await vi.waitFor(() => expect(events.map((event) => event.type)).toContain(type));
    return events.findLast((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)!;
  };
  return { session, peer, launched, ran, events, over, seen };
}
