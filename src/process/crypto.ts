/**
 * Random names and hashes. `node:crypto` takes longer to load than most other modules a command needs, so it is loaded only for hashing;
 * names use random bytes from the system.
 */
import type * as Crypto from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const poolBytes = 4096;
let pool: Buffer = Buffer.alloc(0);

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** Same format as `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function sha256(content: string | Uint8Array): string {
  return loaded().createHash("sha256").update(content).digest("hex");
}

function randomBytes(count: number): Buffer {
  if (pool.length < count) pool = systemBytes() ?? loaded().randomBytes(poolBytes);
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}

/** Returns undefined if the system has no such device. */
function systemBytes(): Buffer | undefined {
  let device: number | undefined;
  try {
    device = openSync("/dev/urandom", "r");
    const bytes = Buffer.allocUnsafeSlow(poolBytes);
    return readSync(device, bytes) === poolBytes ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (device !== undefined) closeSync(device);
  }
}

function loaded(): typeof Crypto {
  return process.getBuiltinModule("node:crypto");
}
