import { childEnvironment } from "../../process/index.ts";
import type { Desk } from "./desk.ts";
import { keyVariables } from "./endpoints.ts";

/** What programs the model runs may see: what every program gets and what the session adds, but never the keys to the model itself. */
export function shellEnvironment({ context, options }: Pick<Desk, "context" | "options">): Record<string, string> {
  const added = Object.entries(options.env ?? {}).filter(([name]) => !keyVariables.includes(name));
  return childEnvironment(context.env, { set: Object.fromEntries(added) });
}
