/** Random ids and hashes. `node:crypto` is loaded at the first use, not at the start of every command. */
const crypto = () => process.getBuiltinModule("node:crypto");

export function randomHex(bytes: number): string {
  return crypto().randomBytes(bytes).toString("hex");
}

export function randomId(): string {
  return crypto().randomUUID();
}

export function sha256(content: string | Uint8Array): string {
  return crypto().createHash("sha256").update(content).digest("hex");
}
