/**
 * Unique names for tool calls and requests. An agent's own id stays unless the agent reuses it: then readers see a
 * new name, so that a name identifies one call or request in the whole session (laws 2 and 3).
 */
export class UniqueIds {
  readonly #names = new Map<string, string>();
  readonly #used = new Map<string, string>();

  knows(id: string): boolean {
    return this.#names.has(id);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  idOf(name: string): string {
    return this.#used.get(name) ?? name;
  }

  begin(id: string): string {
    let name = id;
    while (this.#used.has(name)) name += "b";
    this.#used.set(name, id);
    this.#names.set(id, name);
    return name;
  }

  /** Another agent continues: none of its ids is known. */
  renew(): void {
    this.#names.clear();
  }

  forget(id: string): void {
    this.#names.delete(id);
  }
}
