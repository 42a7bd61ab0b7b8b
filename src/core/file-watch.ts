import type { Tool } from "../events/tools.ts";
import { mayChangeUnreported } from "./changes.ts";
import type { Repository, Snapshot } from "./changes.ts";
import type { Recorder } from "./record/recorder.ts";

/** Law 9: finds what changed in a turn and was not reported. */
export class FileWatch {
  readonly #repository: Repository;
  readonly #recorder: Recorder;
  #before: Promise<Snapshot | undefined> | undefined;
  /** While the state of the folder is still being looked at: no tool may change it before that. */
  looking: Promise<void> | undefined;

  constructor(repository: Repository, recorder: Recorder) {
    this.#repository = repository;
    this.#recorder = recorder;
  }

  /** A tool is about to run. Where it may change something, what is returned is the wait for the state of the folder before it. */
  before(tool: Tool): Promise<unknown> | undefined {
    if (this.#before === undefined && mayChangeUnreported(tool)) {
      this.#before = this.#repository.snapshot();
      const looking = this.#before.then(() => {
        if (this.looking === looking) this.looking = undefined;
      });
      this.looking = looking;
    }
    return this.#before;
  }

  /** The turn ends: reports what was not. True when it cannot be known. */
  async findChanges(): Promise<boolean> {
    const taken = this.#before;
    this.#before = undefined;
    if (taken === undefined) return false;
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
