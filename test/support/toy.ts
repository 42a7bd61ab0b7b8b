/** Reins with the toy agent, and helpers that read turns to their end. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createAcpAgent, type AcpAgentConfig } from "../../src/agents/acp/index.ts";
import type { AgentEntry } from "../../src/agents/contract.ts";
import {
  createReins,
  type Reins,
  type ReinsEvent,
  type ReinsOptions,
  type Session,
  type SessionOptions,
  type TurnOptions,
} from "../../src/index.ts";
import { expectLawful } from "./lawful.ts";

export const toyPath: string = fileURLToPath(new URL("toy-acp-agent.ts", import.meta.url));

export interface Toy {
  readonly reins: Reins;
  readonly cwd: string;
  readonly session: (options?: SessionOptions) => Promise<Session>;
}

/** An entry for an agent that is only a configuration. */
export function acpEntry(config: Omit<AcpAgentConfig, "name"> & { name?: string }): AgentEntry {
  const name = config.name ?? "Toy";
  return {
    id: config.id,
    name,
    load: () => Promise.resolve({ createAgent: (context) => createAcpAgent(context, { ...config, name }) }),
  };
}

export async function withToy(
  flags: readonly string[] = [],
  { quirks, ...options }: ReinsOptions & Pick<AcpAgentConfig, "quirks"> = {},
): Promise<Toy> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "reins-toy-")));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const entry = acpEntry({
    id: "toy",
    command: process.execPath,
    args: [toyPath, ...flags],
    env: { TOY_HOME: join(cwd, ".toy") },
    quirks,
  });
  const reins = createReins({
    guardian: false,
    agents: [entry],
    env: { ...process.env, REINS_HOME: join(cwd, ".reins") },
    ...options,
  });
  onTestFinished(() => reins.close());
  return { reins, cwd, session: (wanted) => reins.session({ agent: "toy", cwd, ...wanted }) };
}

export async function turn(session: Session, prompt: string, options?: TurnOptions): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  for await (const event of session.prompt(prompt, options)) events.push(event);
  return events;
}

/** Closes the session and returns all its events, checked against the laws. */
export async function everything(
  session: Session,
  options?: Parameters<typeof expectLawful>[1],
): Promise<ReinsEvent[]> {
  await session.close();
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) events.push(event);
  expectLawful(events, options);
  return events;
}

/** The types without phases, which follow from the others and have separate tests. */
export const typesOf = (events: readonly ReinsEvent[]): string[] =>
  events.map(({ type }) => type).filter((type) => type !== "turn.phase");
