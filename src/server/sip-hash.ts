/**
 * SipHash-2-4 with a key and 64 bits of output (Aumasson and Bernstein, 2012). Commands need a hash before anything else, and `node:crypto`
 * takes longer to load than everything else they need to find a server.
 */

/** Halves of 64-bit words, the lower half first, because JavaScript shifts 32 bits. */
type Words = [number, number, number, number, number, number, number, number];

/** `key`: at least 16 bytes; further bytes are ignored. */
export function sipHash(key: Uint8Array, data: Uint8Array): string {
  const keys = new DataView(key.buffer, key.byteOffset, 16);
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => keys.getInt32(at, true)) as [number, number, number, number];
  const v: Words = [
    a ^ 0x70736575,
    b ^ 0x736f6d65,
    c ^ 0x6e646f6d,
    d ^ 0x646f7261,
    a ^ 0x6e657261,
    b ^ 0x6c796765,
    c ^ 0x79746573,
    d ^ 0x74656462,
  ];
  const whole = data.length - (data.length % 8);
  const blocks = new DataView(data.buffer, data.byteOffset, whole);
  for (let at = 0; at < whole; at += 8) mix(v, blocks.getInt32(at, true), blocks.getInt32(at + 4, true));
  const last = new DataView(new ArrayBuffer(8));
  for (let at = whole; at < data.length; at++) last.setUint8(at - whole, data[at]!);
  last.setUint8(7, data.length & 0xff);
  mix(v, last.getInt32(0, true), last.getInt32(4, true));
  v[4] ^= 0xff;
  for (let round = 0; round < 4; round++) sipRound(v);
  return hex(v[1] ^ v[3] ^ v[5] ^ v[7]) + hex(v[0] ^ v[2] ^ v[4] ^ v[6]);
}

function mix(v: Words, low: number, high: number): void {
  v[6] ^= low;
  v[7] ^= high;
  sipRound(v);
  sipRound(v);
  v[0] ^= low;
  v[1] ^= high;
}

function sipRound(v: Words): void {
  add(v, 0, 2);
  rotate(v, 2, 13);
  exclude(v, 2, 0);
  swap(v, 0);
  add(v, 4, 6);
  rotate(v, 6, 16);
  exclude(v, 6, 4);
  add(v, 0, 6);
  rotate(v, 6, 21);
  exclude(v, 6, 0);
  add(v, 4, 2);
  rotate(v, 2, 17);
  exclude(v, 2, 4);
  swap(v, 4);
}

function add(v: Words, to: number, from: number): void {
  const low = (v[to]! >>> 0) + (v[from]! >>> 0);
  v[to + 1] = (v[to + 1]! + v[from + 1]! + (low > 0xffffffff ? 1 : 0)) | 0;
  v[to] = low | 0;
}

function exclude(v: Words, to: number, from: number): void {
  v[to]! ^= v[from]!;
  v[to + 1]! ^= v[from + 1]!;
}

/** Rotates left by less than 32 bits. */
function rotate(v: Words, at: number, by: number): void {
  const [low, high] = [v[at]!, v[at + 1]!];
  v[at] = (low << by) | (high >>> (32 - by));
  v[at + 1] = (high << by) | (low >>> (32 - by));
}

/** Rotates by 32 bits. */
function swap(v: Words, at: number): void {
  [v[at], v[at + 1]] = [v[at + 1]!, v[at]!];
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, "0");
