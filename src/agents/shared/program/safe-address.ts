/** Whether a key may be sent there: over anything else than https everybody on the way can read it, unless it stays on this machine. */
export function isSafeForKeys({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}
