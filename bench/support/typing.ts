/** Types into a program in a terminal and measures the time until the effect is shown. */
import { setTimeout as sleep } from "node:timers/promises";
import { rounded } from "../pairs.ts";
import type { InTerminal } from "./in-terminal.ts";

/** Prints one JSON line; without a goal the figure is for information. */
export function line(bench: string, goal: string, unit: string, reins: number, floor?: number): void {
  const figures = { reins: rounded(reins), ...(floor !== undefined && { floor: rounded(floor) }) };
  console.log(JSON.stringify({ bench, goal, ...figures, unit }));
}

export interface Pressed {
  readonly took: number;
  /** CPU time of the main thread in the meantime. */
  readonly mainMs: number;
}

export async function pressed(terminal: InTerminal, key: string, shows: string, mostMs?: number): Promise<Pressed> {
  const cpu = terminal.mainCpuMs();
  const shown = terminal.until(shows, mostMs);
  terminal.write(key);
  return { took: await shown, mainMs: terminal.mainCpuMs() - cpu };
}

export interface Typed {
  readonly echo: readonly number[];
  readonly keyCpu: readonly number[];
  readonly cpu: number;
}

/** Types letters that do not occur in the agent's text while the agent streams; waits for each before typing the next. */
export async function typed(terminal: InTerminal, ms: number): Promise<Typed> {
  const [cpu, began] = [terminal.cpuMs(), performance.now()];
  const echo: number[] = [];
  const keyCpu: number[] = [];
  for (let at = 0; performance.now() - began < ms; at++) {
    const letter = String.fromCodePoint(0x430 + (at % 32));
    const { took, mainMs } = await pressed(terminal, letter, letter);
    echo.push(took);
    keyCpu.push(mainMs);
    await sleep(100);
  }
  return { echo, keyCpu, cpu: (100 * (terminal.cpuMs() - cpu)) / (performance.now() - began) };
}

export async function prompt(terminal: InTerminal, text: string): Promise<void> {
  const shown = terminal.until(text.slice(-4));
  terminal.write(text);
  await shown;
  terminal.write("\r");
}
