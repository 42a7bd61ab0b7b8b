/** Whether a key may be sent there: only over https, or on this machine. */
export function isSafeForKeys({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}
