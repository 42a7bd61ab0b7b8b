/** Whether a key may be sent there: only over https, or on this machine. */
export function isSafeForKeys({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

/** An address without its query, which may hold a key; undefined where it is no address. */
export function withoutQuery(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : url.origin + url.pathname;
}
