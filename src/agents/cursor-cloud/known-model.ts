/** Which of the service's models a name means. */
import { ReinsError } from "../../events/errors.ts";
import type { Versions } from "./versions.ts";
import { who } from "./who.ts";

/** Throws `model_unknown`. A list that cannot be had refuses nothing: then the service says what it thinks of the name. */
export async function knownModel(versions: Versions, name: string): Promise<string> {
  const models = await versions.any((client) => client.models()).catch(() => undefined);
  if (models === undefined || models.length === 0) return name;
  const found = models.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
  if (found !== undefined) return found.id;
  const some = models.slice(0, 8).map(({ id }) => id);
  throw new ReinsError("model_unknown", `${who.name} has no model ${name}.`, {
    agent: who.id,
    help: `It has ${some.join(", ")}${models.length > some.length ? ", and more" : ""}.`,
  });
}
