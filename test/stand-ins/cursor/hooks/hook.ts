import { textOf } from "../../agent-loop/index.ts";
import type { HookEvent } from "./events.ts";

export interface Hook {
  readonly event: HookEvent;
  readonly command: string;
  /** Where it runs. */
  readonly cwd: string;
  readonly matcher: RegExp | undefined;
  readonly timeoutMs: number;
  readonly failClosed: boolean;
  /** How often a follow-up may be asked for; undefined: without end. */
  readonly loopLimit: number | undefined;
  /** Of a plugin: its folder. */
  readonly plugin?: string | undefined;
}

export function matcherOf(pattern: unknown): RegExp | undefined {
  try {
    return textOf(pattern) === "" || pattern === "*" ? undefined : new RegExp(textOf(pattern));
  } catch {
    return undefined;
  }
}
