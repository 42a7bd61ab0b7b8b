/**
 * The names of tool calls. An agent's own id stays, unless the agent uses it again for another call: then readers see a new name,
 * so that one name is one call in the whole session (law 2).
 */
export class CallNames {
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();

  knows(id: string): boolean {
    return this.#names.has(id);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  /** A call begins under this id. */
  begin(id: string): string {
    let name = id;
    while (this.#used.has(name)) name += "b";
    this.#used.add(name);
    this.#names.set(id, name);
    return name;
  }

  /** The next call under this id is another one. */
  forget(id: string): void {
    this.#names.delete(id);
  }
}
