/** Runs Reins's Claude Code adapter with a stand-in executable in its own home; no process may be left at the end. */
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentEntries } from "../../src/agents/index.ts";
import type { Reins, ReinsOptions, Session, SessionOptions } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";
import type { ReinsEvent } from "../../src/events/types.ts";
import { standIn, type StandInKind, type StandInOptions } from "../stand-ins/stand-in.ts";
import { recordAgent } from "../../src/testing/wire/replay.ts";
import { readRecording } from "../../src/testing/wire/record.ts";
import { nothingLeft } from "./leftovers.ts";

export interface BadAgentOptions extends StandInOptions, Pick<ReinsOptions, "deadlines"> {
  readonly env?: Readonly<Record<string, string>>;
  /** The program to use instead of a stand-in. */
  readonly path?: string;
}

export class BadAgent implements AsyncDisposable {
  readonly home: string = mkdtempSync(join(tmpdir(), "reins-bad-agent-"));
  readonly cwd: string = join(this.home, "work");
  readonly path: string;
  readonly reins: Reins;
  readonly #recordings = join(this.home, "wire");

  constructor(kind: StandInKind, { deadlines, env, path, ...options }: BadAgentOptions = {}) {
    mkdirSync(this.cwd);
    this.path = path ?? standIn(kind, { folder: this.home, ...options });
    const claude = agentEntries.find((entry) => entry.id === "claude")!;
    this.reins = createReins({
      env: {
        PATH: process.env["PATH"],
        HOME: this.home,
        REINS_HOME: this.home,
        REINS_CLAUDE_COMMAND: this.path,
        ...env,
      },
      deadlines: { politeClose: 500, term: 300, drain: 50, ...deadlines },
      agents: [recordAgent(claude, this.#recordings)],
    });
  }

  session(options: SessionOptions = {}): Promise<Session> {
    return this.reins.session({ agent: "claude", cwd: this.cwd, ...options });
  }

  /** The recorded wire of each process. */
  async recordings() {
    const files = readdirSync(this.#recordings).filter((name) => name.endsWith(".ndjson"));
    return Promise.all(files.toSorted().map((name) => readRecording(join(this.#recordings, name))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reins.close();
    await nothingLeft(this.home);
    await rm(this.home, { recursive: true, force: true });
  }
}

export async function whole(session: Session): Promise<ReinsEvent[]> {
  await session.close();
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}
