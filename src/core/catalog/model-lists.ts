/**
 * Caches the model lists of agents for an hour, also across commands, because listing starts the agent's program. The
 * list depends on the account, so signing in or out clears it.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, ModelInfo } from "../../agents/contract.ts";
import { stateHome } from "../../process/home.ts";
import { randomId } from "../../process/crypto.ts";

const hour = 3_600_000;

export class ModelLists {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #known = new Map<string, { at: number; models: readonly ModelInfo[] }>();
  /** How often each list was cleared: an answer to an older request is not cached. */
  readonly #forgotten = new Map<string, number>();

  constructor(env: Readonly<Record<string, string | undefined>>, now: () => number = Date.now) {
    this.#folder = join(stateHome(env), "models");
    this.#now = now;
  }

  /** Rejects with the agent's own error. */
  async of(agent: Agent, fresh = false): Promise<readonly ModelInfo[]> {
    if (agent.manage.models === undefined) return [];
    const remembered = fresh ? undefined : await this.remembered(agent.id);
    if (remembered !== undefined) return remembered;
    const asked = this.#forgotten.get(agent.id);
    const models = await agent.manage.models();
    if (this.#forgotten.get(agent.id) !== asked) return models;
    const known = { at: this.#now(), models };
    this.#known.set(agent.id, known);
    await this.#write(agent.id, known);
    return models;
  }

  async remembered(id: string): Promise<readonly ModelInfo[] | undefined> {
    const known = this.#known.get(id) ?? (await this.#read(id));
    if (known === undefined || this.#now() - known.at > hour || known.at > this.#now()) return undefined;
    this.#known.set(id, known);
    return known.models;
  }

  async forget(id: string): Promise<void> {
    this.#known.delete(id);
    this.#forgotten.set(id, (this.#forgotten.get(id) ?? 0) + 1);
    await rm(this.#file(id), { force: true }).catch(() => undefined);
  }

  #file(id: string): string {
    return join(this.#folder, `${encodeURIComponent(id)}.json`);
  }

  async #read(id: string): Promise<{ at: number; models: readonly ModelInfo[] } | undefined> {
    try {
      const { at, models } = JSON.parse(await readFile(this.#file(id), "utf8")) as { at: unknown; models: unknown };
      if (typeof at !== "number" || !Array.isArray(models) || !models.every(isModel)) return undefined;
      return { at, models };
    } catch {
      return undefined;
    }
  }

  /** When the folder cannot be written, the next command has to ask again; nothing else is lost. */
  async #write(id: string, known: object): Promise<void> {
    const file = this.#file(id);
    const unfinished = `${file}.${randomId()}`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, JSON.stringify(known), { mode: 0o600 });
      await rename(unfinished, file);
    } catch {
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }
}

function isModel(value: unknown): value is ModelInfo {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
