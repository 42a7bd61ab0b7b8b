/** Keys into a program in a terminal, and what it takes until their effect is shown. */
import { setTimeout as sleep } from "node:timers/promises";
import { rounded } from "../pairs.ts";
import type { InTerminal } from "./in-terminal.ts";

/** One JSON line; without a goal the figure is for information. */
export function line(bench: string, goal: string, unit: string, reins: number, floor?: number): void {
  const figures = { reins: rounded(reins), ...(floor !== undefined && { floor: rounded(floor) }) };
  console.log(JSON.stringify({ bench, goal, ...figures, unit }));
}

export interface Pressed {
  readonly took: number;
  /** CPU of the main thread meanwhile. */
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
  /** Percent of a core: of the program, and of it with its children. */
  readonly cpu: number;
  readonly cpuWithChildren: number;
}

/** Letters that no text of the agent contains are typed while it streams; each is awaited before the next. */
export async function typed(terminal: InTerminal, ms: number): Promise<Typed> {
  const [cpu, all, began] = [terminal.cpuMs(), terminal.withChildren().cpuMs, performance.now()];
  const echo: number[] = [];
  const keyCpu: number[] = [];
  for (let at = 0; performance.now() - began < ms; at++) {
    const { took, mainMs } = await pressedLetter(terminal, String.fromCodePoint(0x430 + (at % 32)));
    echo.push(took);
    keyCpu.push(mainMs);
    await sleep(100);
  }
  const share = (spent: number): number => (100 * spent) / (performance.now() - began);
  return {
    echo,
    keyCpu,
    cpu: share(terminal.cpuMs() - cpu),
    cpuWithChildren: share(terminal.withChildren().cpuMs - all),
  };
}

const pressedLetter = (terminal: InTerminal, letter: string): Promise<Pressed> => pressed(terminal, letter, letter);

export async function prompt(terminal: InTerminal, text: string): Promise<void> {
  const shown = terminal.until(text.slice(-4));
  terminal.write(text);
  await shown;
  terminal.write("\r");
}
