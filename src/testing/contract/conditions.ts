/** The only thing that may make two agents differ: what they declare. */
import type { Capabilities } from "../../events/capabilities.ts";

/**
 * `thinking`: it is declared. `!steer`: it is not. `afterDeny=ends`, `modes=ask`, `hold.edit=every|sandbox`: it is, or has, that or one of these.
 */
export type Condition = string;

export function holds(condition: Condition, can: Capabilities): boolean {
  const [, not, path = "", values] = /^(!?)([\w.-]+)(?:=([\w|]+))?$/.exec(condition) ?? [];
  const found = path.split(".").reduce<unknown>((at, key) => (Object(at) as Record<string, unknown>)[key], can);
  const is = values === undefined ? found === true : values.split("|").some((value) => [found].flat().includes(value));
  return is !== (not === "!");
}
