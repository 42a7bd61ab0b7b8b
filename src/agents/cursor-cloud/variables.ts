/** The variables that go into the machine over there. */

/** What tells Reins and Cursor how to work here: the key to the service is among it, and the secret of webhooks. */
const own = /^(?:REINS|CURSOR)_/i;

interface Variables {
  readonly sent: Readonly<Record<string, string>>;
  /** The names of those that stay here. */
  readonly kept: readonly string[];
}

export function variablesOf(env: Readonly<Record<string, string>> = {}): Variables {
  const isKept = (name: string): boolean => own.test(name.trim());
  const sent = Object.entries(env).filter(([name]) => !isKept(name));
  return { sent: Object.fromEntries(sent), kept: Object.keys(env).filter(isKept) };
}
