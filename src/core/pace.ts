/** Whether the agent is read as fast as the readers read, or as fast as it speaks because nobody waits for them any more. */
export class Pace {
  #letGo = Promise.withResolvers<void>();
  /** The agent stands still because the readers are behind. */
  paused = false;

  /** Waits for the readers, until they are let go. */
  async follow(room: Promise<void>): Promise<void> {
    this.paused = true;
    await Promise.race([room, this.#letGo.promise]);
    this.paused = false;
  }

  /** The readers are waited for no longer. */
  letGo(): void {
    this.#letGo.resolve();
  }

  /** From here they are waited for again. */
  renew(): void {
    this.letGo();
    this.#letGo = Promise.withResolvers();
  }
}
