import { textOf } from "../../agent-loop/index.ts";
import type { HookEvent } from "./events.ts";

export interface Hook {
  readonly event: HookEvent;
  readonly command: string;
  readonly cwd: string;
  readonly matcher: RegExp | undefined;
  readonly timeoutMs: number;
  readonly failClosed: boolean;
  /** How often it may request a follow-up; undefined: without a limit. */
  readonly loopLimit: number | undefined;
  readonly plugin?: string | undefined;
}

export function matcherOf(pattern: unknown): RegExp | undefined {
  try {
    return textOf(pattern) === "" || pattern === "*" ? undefined : new RegExp(textOf(pattern));
  } catch {
    return undefined;
  }
}
