/** Name of an environment variable about one agent: `REINS_<AGENT>_COMMAND`, `REINS_<AGENT>_MODEL`. */
export function variableOf(id: string, what: string): string {
  return `REINS_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_${what}`;
}
