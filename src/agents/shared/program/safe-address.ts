/** True when a key may be sent to this address: only over https, or to this machine. */
export function isSafeForKeys({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

/** The address without its query, which may hold a key; undefined for an invalid address. */
export function withoutQuery(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : url.origin + url.pathname;
}
