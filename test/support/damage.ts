/** Recorded streams with lines lost, doubled, swapped or damaged. */
import { fc } from "./fast-check.ts";

export interface Lines {
  readonly lines: readonly { readonly msg: unknown }[];
}

interface Damage {
  readonly drop: readonly number[];
  readonly double: readonly number[];
  readonly swap: readonly number[];
  readonly break: readonly (readonly [number, number, unknown])[];
}

/** Damages lines up to this one. */
export function damageWithin(reach: number): fc.Arbitrary<Damage> {
  const line = fc.nat(reach);
  return fc.record({
    drop: fc.array(line, { maxLength: 5 }),
    double: fc.array(line, { maxLength: 3 }),
    swap: fc.array(line, { maxLength: 3 }),
    break: fc.array(fc.tuple(line, fc.nat(30), fc.jsonValue({ maxDepth: 1 })), { maxLength: 5 }),
  });
}

export function damaged<Capture extends Lines>(capture: Capture, how: Damage): Capture {
  const lines = capture.lines.map((line) => structuredClone(line));
  for (const [line, place, value] of how.break) breakAt(lines[line]?.msg, place, value);
  for (const at of how.swap) if (at + 1 < lines.length) [lines[at], lines[at + 1]] = [lines[at + 1]!, lines[at]!];
  for (const at of how.double) if (at < lines.length) lines.splice(at, 0, lines[at]!);
  return { ...capture, lines: lines.filter((_, at) => !how.drop.includes(at)) };
}

/** Replaces the value at one place of a message, counted from its outside. */
function breakAt(message: unknown, place: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) places.push([node as Record<string, unknown>, key]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(message);
  const found = places[place % Math.max(1, places.length)];
  if (found !== undefined) found[0][found[1]] = value;
}
