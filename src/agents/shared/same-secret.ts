/** Compares secrets that others send. */
import { timingSafeEqual } from "node:crypto";

/** Takes the same time wherever the two differ. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
