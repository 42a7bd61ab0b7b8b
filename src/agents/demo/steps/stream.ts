import type { Turn } from "../turn.ts";
import { speak } from "./say.ts";

/** That many pieces of text, each made only when there is room for it. */
export async function stream(turn: Turn, count: number): Promise<void> {
  await speak(turn, "message", numbers(count));
}

function* numbers(count: number): Generator<string> {
  for (let number = 1; number <= count; number++) yield `${number} `;
}
