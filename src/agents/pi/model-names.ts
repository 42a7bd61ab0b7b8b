/** A model by the name a person gives, among those pi has: `service/id`, or an id alone; `:high` after it says how hard to think. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";

export interface Model {
  readonly provider: string;
  readonly id: string;
}

const thinking = /:(off|minimal|low|medium|high|xhigh|max)$/;

export function modelName(model: unknown): string | undefined {
  const { provider, id } = record(model);
  return typeof provider === "string" && typeof id === "string" ? `${provider}/${id}` : undefined;
}

/** Undefined where it has no such model, or several and none of the service in use. */
export function findModel(
  name: string,
  available: unknown,
  current: string | undefined,
): { model: Model; level: string | undefined } | undefined {
  const models = list(available)
    .filter(isRecord)
    .flatMap((model): Model[] => {
      const [provider, id] = [text(model["provider"]), text(model["id"])];
      return provider === undefined || id === undefined ? [] : [{ provider, id }];
    });
  const exact = pick(name, models, current);
  if (exact !== undefined) return { model: exact, level: undefined };
  const level = thinking.exec(name)?.[1];
  const model = level === undefined ? undefined : pick(name.slice(0, -level.length - 1), models, current);
  return model && { model, level };
}

function pick(name: string, models: readonly Model[], current: string | undefined): Model | undefined {
  const whole = models.find((model) => modelName(model) === name);
  if (whole !== undefined) return whole;
  const same = models.filter(({ id }) => id === name);
  return (
    same.find(({ provider }) => current?.startsWith(`${provider}/`) === true) ??
    (same.length === 1 ? same[0] : undefined)
  );
}
