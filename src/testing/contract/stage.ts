/** The environment that a scenario acts on. A replay has no files, programs or model; checks of them pass then. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reins, SessionOptions } from "../../core/api.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import type { LoggedRequest } from "../requests.ts";
import { must, NotProvable } from "./check.ts";
import { Player, type Played, type PlayOptions } from "./player.ts";
import type { Launched, Place, Play } from "./types.ts";

export class Stage {
  readonly place: Place;
  readonly can: Capabilities;
  readonly players: Player[] = [];
  #reins: Reins | undefined;

  constructor(place: Place) {
    this.place = place;
    this.can = place.capabilities;
  }

  get reins(): Reins {
    this.#reins ??= this.place.reins();
    return this.#reins;
  }

  /** Throws NotProvable if the agent cannot do this play. Checked before a session is opened, because starting a program takes seconds. */
  canPlay(what: Play): Play {
    this.place.prompt(what);
    return what;
  }

  async session(options: SessionOptions = {}, reins: Reins = this.reins): Promise<Player> {
    const session = await reins.session({ ...this.#usual, agent: this.place.agent, cwd: this.place.cwd, ...options });
    const player = new Player(session, (what) => this.place.prompt(what), this.place.deadlineMs);
    this.players.push(player);
    return player;
  }

  /** Sends one prompt to a new session. */
  async turn(what: Play, options?: SessionOptions, prompt?: PlayOptions): Promise<Played> {
    return (await this.session(options)).turn(what, prompt);
  }

  /** If the agent cannot ask, a scenario without a mode runs in the agent's narrowest mode. */
  get #usual(): SessionOptions {
    const [narrowest] = this.can.modes;
    return this.can.modes.includes("ask") || narrowest === undefined ? {} : { mode: narrowest };
  }

  path(name: string): string {
    return join(this.place.cwd, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  folderBeside(name: string, file: string, text: string): string {
    const folder = join(dirname(this.place.cwd), name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text);
    return folder;
  }

  mustExist(name: string, exists = true): void {
    if (this.place.live)
      must(existsSync(this.path(name)) === exists, `${name} is ${exists ? "missing" : "there, and must not be"}.`);
  }

  mustContain(name: string, words: string): void {
    if (this.place.live)
      must(readFileSync(this.path(name), "utf8").includes(words), `${name} does not contain “${words}”.`);
  }

  /** Waits until a program that the agent runs has created this file. */
  async made(name: string): Promise<void> {
    await this.place.caughtUp?.();
    await this.#until(() => existsSync(this.path(name)), `${name} was never made`);
  }

  /**
   * Waits up to two seconds until the agent has saved these words in its home. Some agents save late, and some in a format that cannot be
   * searched.
   */
  async writtenDown(words: string): Promise<void> {
    const { home, live } = this.place;
    if (!live || home === undefined) return;
    const end = performance.now() + 2_000;
    while (performance.now() < end && !isWritten(home, words)) await sleep(50);
  }

  /** Waits until the process whose pid a program wrote into this file is gone. */
  async gone(name: string): Promise<void> {
    if (!this.place.live) return;
    const pid = Number(readFileSync(this.path(name), "utf8"));
    await this.#until(() => !isAlive(pid), "what the tool had started still ran");
  }

  /** Requests to the model, newest last; empty in a replay. */
  get asked(): readonly LoggedRequest[] {
    return this.place.model?.requests.filter(({ kind }) => kind === "answer") ?? [];
  }

  mustKnow(words: string, knows = true): void {
    if (this.place.model === undefined) return;
    const last = JSON.stringify(this.asked.at(-1)?.body ?? "");
    must(last.includes(words) === knows, `The model was ${knows ? "not " : ""}told “${words}”.`);
  }

  /**
   * The agent's own process between two turns; a process started during a turn belongs to a tool. With a process per turn, the last one.
   */
  program(): Launched {
    const program = this.#running ?? this.place.tap.launched.at(-1);
    if (program === undefined) throw new NotProvable("It has no process of its own.");
    return program;
  }

  /** Kills the process. In a replay it ends as recorded. With a process per turn, kills that of the running turn. */
  async kill(program: Launched): Promise<void> {
    const { live, processATurn } = this.place;
    if (processATurn === true)
      await this.#until(() => ![undefined, program].includes(this.#running), "no process was started for the turn");
    const { pid } = processATurn === true ? this.#running! : program;
    if (live) process.kill(pid, "SIGKILL");
  }

  get #running(): Launched | undefined {
    return this.place.tap.launched.findLast(({ isGone }) => !isGone);
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    if (!this.place.live) return;
    const end = performance.now() + this.place.deadlineMs / 2;
    while (!holds()) {
      must(performance.now() < end, `${what[0]?.toUpperCase()}${what.slice(1)} in ${this.place.deadlineMs / 2} ms.`);
      await sleep(20);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A file may disappear after it was listed, because the agent still works with temporary files and locks. */
function isWritten(path: string, words: string): boolean {
  try {
    if (!lstatSync(path).isDirectory()) return statSync(path).isFile() && readFileSync(path).includes(words);
    return readdirSync(path).some((name) => isWritten(join(path, name), words));
  } catch {
    return false;
  }
}
