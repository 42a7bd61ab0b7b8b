const loopback = ["127.0.0.1", "localhost", "[::1]"];

/** What the Host of a request may say: `name:port` in small letters, and a name alone where a proxy or port 80 leaves the port out. */
export function hostNames(host: string, more: readonly string[], port: () => number): () => ReadonlySet<string> {
  const own = [...loopback, host.includes(":") ? `[${host}]` : host].map((name) => name.toLowerCase());
  const allowed = more.map((name) => name.toLowerCase());
  let known: { readonly port: number; readonly names: ReadonlySet<string> } | undefined;
  return () => {
    if (known?.port !== port()) {
      const at = port();
      const names = [...own, ...allowed].map((name) => `${name}:${at}`);
      known = { port: at, names: new Set([...names, ...allowed, ...(at === 80 ? own : [])]) };
    }
    return known.names;
  };
}
