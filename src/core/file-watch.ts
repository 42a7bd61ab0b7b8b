import type { Tool } from "../events/tools.ts";
import { mayChangeUnreported } from "./changes.ts";
import type { Repository, Snapshot } from "./changes.ts";
import type { Recorder } from "./record/recorder.ts";

/** Law 9: finds what changed in a turn and was not reported. */
export class FileWatch {
  readonly #repository: Repository;
  readonly #recorder: Recorder;
  #before: Promise<Snapshot | undefined> | undefined;
  /** Something has run that may have changed files. */
  #ran = false;
  /** While the state of the folder is still being looked at: no tool may change it before that. */
  looking: Promise<void> | undefined;

  constructor(repository: Repository, recorder: Recorder) {
    this.#repository = repository;
    this.#recorder = recorder;
  }

  /** A prompt is about to be sent to an agent whose tools wait for nobody: when one is told of, it may have changed something already. */
  ahead(): Promise<unknown> {
    this.#before ??= this.#repository.snapshot();
    return this.#before;
  }

  /** A tool is about to run. Where it may change something, what is returned is the wait for the state of the folder before it. */
  before(tool: Tool): Promise<unknown> | undefined {
    if (!mayChangeUnreported(tool)) return this.#before;
    this.#ran = true;
    if (this.#before === undefined) {
      this.#before = this.#repository.snapshot();
      const looking = this.#before.then(() => {
        if (this.looking === looking) this.looking = undefined;
      });
      this.looking = looking;
    }
    return this.#before;
  }

  /** The turn ends: reports what was not. True when it cannot be known; undefined at once where nothing has run. */
  findChanges(): Promise<boolean> | undefined {
    const [taken, ran] = [this.#before, this.#ran];
    this.#before = undefined;
    this.#ran = false;
    return taken === undefined || !ran ? undefined : this.#changesSince(taken);
  }

  async #changesSince(taken: Promise<Snapshot | undefined>): Promise<boolean> {
    const before = await taken;
    const changes = before === undefined ? undefined : await this.#repository.changesSince(before);
    if (changes === undefined) return true;
    const reported = this.#recorder.reportedFiles;
    for (const change of changes) {
      if (!reported.has(change.path)) this.#recorder.add({ type: "file.changed", ...change, synthetic: true });
    }
    return false;
  }
}
