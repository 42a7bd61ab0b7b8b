/** What a session is set to: who holds it, with which model and mode, and who is asked. */
import type { Agent } from "../agents/contract.ts";
import type { Mode } from "../events/modes.ts";
import type { People } from "./asking.ts";
import { followedMode, isWithin } from "./policy/mode.ts";
import type { Policy } from "./policy/policy.ts";
import type { Holder } from "./route/relay.ts";
import type { Remark, SessionContext } from "./session-context.ts";

export class Settings {
  #holder: Holder;
  #model: string | undefined;
  #mode: Mode;
  #chosenMode: Mode;
  #people: People;
  #toSay: readonly Remark[];

  constructor({ holder, mode, toSay }: Pick<SessionContext, "holder" | "mode" | "toSay">) {
    this.#holder = holder;
    this.#model = holder.options.model;
    this.#mode = this.#chosenMode = mode;
    this.#people = holder.options;
    this.#toSay = toSay;
  }

  get holder(): Holder {
    return this.#holder;
  }

  get agent(): Agent {
    return this.#holder.agent;
  }

  get model(): string | undefined {
    return this.#model;
  }

  /** The one that holds now. */
  get mode(): Mode {
    return this.#mode;
  }

  /** What the person chose. */
  get chosenMode(): Mode {
    return this.#chosenMode;
  }

  get people(): People {
    return this.#people;
  }

  /** Somebody else has the session. What this one did not know of the mode is the person's to say, and said already. */
  hold(next: Holder): void {
    this.#holder = next;
    this.#model = next.options.model;
    this.#mode = this.#chosenMode;
  }

  /** Somebody takes over a session that was opened before anybody asked for it. */
  adopt(people: People, toSay: readonly Remark[], policy: Policy): void {
    this.#people = people;
    this.#holder = { ...this.#holder, policy };
    // What the store has to say was known when it was opened, and is not said yet.
    this.#toSay = [...this.#toSay.filter(({ code }) => code === "store"), ...toSay];
  }

  /** What must be said at the start of the next turn. Once. */
  takeRemarks(): readonly Remark[] {
    const remarks = this.#toSay;
    this.#toSay = [];
    return remarks;
  }

  /** The agent says that it is in another mode now; the one that holds. */
  followMode(mode: Mode, planApproved: boolean): Mode {
    this.#mode = followedMode(this.#mode, mode, this.#chosenMode, planApproved);
    return this.#mode;
  }

  /** The agent is told of a mode. A narrower one holds at once, whatever the agent does until it has it. */
  async whileTold(mode: Mode | undefined, telling: () => Promise<void> | undefined): Promise<void> {
    const before = this.#mode;
    if (mode !== undefined && isWithin(mode, before)) this.#mode = mode;
    try {
      await telling();
    } catch (thrown) {
      if (this.#mode === mode) this.#mode = before;
      throw thrown;
    }
  }

  choose({ model, mode }: { readonly model?: string | undefined; readonly mode?: Mode | undefined }): void {
    this.#model = model ?? this.#model;
    if (mode !== undefined) this.#mode = this.#chosenMode = mode;
  }
}
