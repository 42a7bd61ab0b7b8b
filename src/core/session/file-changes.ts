import type { Repository, Snapshot } from "../../workspace/snapshot.ts";
import type { Recorder } from "../record/recorder.ts";

/** Law 9: finds what changed in a turn and was not reported. */
export class FileChanges {
  readonly #repository: Repository;
  readonly #recorder: Recorder;
  #before: Promise<Snapshot | undefined> | undefined;

  constructor(repository: Repository, recorder: Recorder) {
    this.#repository = repository;
    this.#recorder = recorder;
  }

  /** Resolves when the folder, as it is before the turn changes it, was looked at. */
  get taken(): Promise<unknown> | undefined {
    return this.#before;
  }

  take(): Promise<unknown> {
    this.#before = this.#repository.snapshot();
    return this.#before;
  }

  forget(): void {
    this.#before = undefined;
  }

  /** Records what changed since `take` and was not reported. True where it cannot be known. */
  async find(): Promise<boolean> {
    const before = await this.#before;
    const changes = before === undefined ? undefined : await this.#repository.changesSince(before);
    if (changes === undefined) return true;
    const reported = this.#recorder.reportedFiles;
    for (const change of changes) {
      if (!reported.has(change.path)) this.#recorder.add({ type: "file.changed", ...change, synthetic: true });
    }
    return false;
  }
}
