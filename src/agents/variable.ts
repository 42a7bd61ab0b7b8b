/** `REINS_<AGENT>_COMMAND`, `REINS_<AGENT>_MODEL`: the name of a variable about one agent. */
export function variableOf(id: string, what: string): string {
  return `REINS_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_${what}`;
}
