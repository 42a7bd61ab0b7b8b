/**
 * SipHash-2-4, keyed and 64 bits long (Aumasson and Bernstein, 2012). A command needs it before it does anything, and loading `node:crypto`
 * costs it 11 ms (docs/performance.md).
 */

/** `key`: at least 16 bytes; further ones are ignored. */
export function sipHash(key: Uint8Array, data: Uint8Array): string {
  const keys = new DataView(key.buffer, key.byteOffset, 16);
  const [a, b] = [keys.getBigUint64(0, true), keys.getBigUint64(8, true)];
  const v = BigUint64Array.of(
    a ^ 0x736f6d6570736575n,
    b ^ 0x646f72616e646f6dn,
    a ^ 0x6c7967656e657261n,
    b ^ 0x7465646279746573n,
  );
  const padded = new Uint8Array(data.length - (data.length % 8) + 8);
  padded.set(data);
  padded[padded.length - 1] = data.length & 0xff;
  const words = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 8) {
    const word = words.getBigUint64(at, true);
    v[3]! ^= word;
    mix(v, 2);
    v[0]! ^= word;
  }
  v[2]! ^= 0xffn;
  mix(v, 4);
  return (v[0]! ^ v[1]! ^ v[2]! ^ v[3]!).toString(16).padStart(16, "0");
}

/** The steps of a round: `v[to] += v[from]`, then `v[from]` is rotated and mixed with the sum; some sums are rotated by 32. */
const steps = [
  [0, 1, 13n, 32n],
  [2, 3, 16n, 0n],
  [0, 3, 21n, 0n],
  [2, 1, 17n, 32n],
] as const;

function mix(v: BigUint64Array, rounds: number): void {
  for (let round = 0; round < rounds; round++)
    for (const [to, from, by, sumBy] of steps) {
      v[to]! += v[from]!;
      rotate(v, from, by);
      v[from]! ^= v[to]!;
      rotate(v, to, sumBy);
    }
}

/** To the left. The array keeps 64 bits of what is stored. */
function rotate(v: BigUint64Array, at: number, by: bigint): void {
  v[at] = (v[at]! << by) | (v[at]! >> (64n - by));
}
