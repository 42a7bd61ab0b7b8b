/** The conversations of one server: ours, and those of its subagents, each below the call that started it. */
import { record, text } from "../../drivers/stream-json/read.ts";

interface Child {
  /** The conversation that started it. */
  readonly of: string;
  /** The call that did, as events name it; unknown until its tool tells. */
  call: string | undefined;
  running: boolean;
}

export class Sessions {
  readonly #main: string;
  readonly #children = new Map<string, Child>();

  constructor(main: string) {
    this.#main = main;
  }

  /** A conversation was begun. */
  created(info: unknown): void {
    const { id, parentID } = record(info);
    const [child, of] = [text(id), text(parentID)];
    if (child === undefined || of === undefined || child === this.#main || this.#children.has(child)) return;
    if (this.isOurs(of)) this.#children.set(child, { of, call: undefined, running: true });
  }

  /** The tool that started it says so. */
  startedBy(child: string, of: string, callId: string): void {
    const known = this.#children.get(child);
    if (known !== undefined) known.call = callId;
    else if (child !== this.#main && this.isOurs(of)) this.#children.set(child, { of, call: callId, running: true });
  }

  isMain(session: string): boolean {
    return session === this.#main;
  }

  /** It is this conversation, or one below it. */
  isOurs(session: string): boolean {
    return session === this.#main || this.#children.has(session);
  }

  /** What a subagent says before its call is known belongs to nobody yet. */
  isPlaced(session: string): boolean {
    return session === this.#main || this.#children.get(session)?.call !== undefined;
  }

  /** The call a subagent's events belong to. */
  parentOf(session: string): string | undefined {
    return this.#children.get(session)?.call;
  }

  /** Services number the calls of each conversation for themselves, some from nought. */
  callId(session: string, nativeId: string): string {
    return session === this.#main ? nativeId : `${session.slice(-8)}-${nativeId}`;
  }

  setRunning(session: string, running: boolean): void {
    const child = this.#children.get(session);
    if (child !== undefined) child.running = running;
  }

  /** Subagents that still work. */
  get running(): string[] {
    return [...this.#children].filter(([, { running }]) => running).map(([id]) => id);
  }
}
