/** Names of models that pi serves, and the model that a name stands for. */

const services =
  /^(anthropic|openai|openai-codex|google|google-vertex|github-copilot|openrouter|amazon-bedrock|mistral|groq|cerebras|xai|deepseek|zai|vercel-ai-gateway|huggingface|opencode)\//;

export const servesModel = (model: string): boolean => /^(claude|gpt|gemini)-/.test(model) || services.test(model);

/** Users write `service/id` or an id alone; `:high` after it sets the thinking level. */
interface Model {
  readonly provider: string;
  readonly id: string;
}

const thinking = /:(off|minimal|low|medium|high|xhigh|max)$/;

export function modelName(model: unknown): string | undefined {
  return isModel(model) ? `${model.provider}/${model.id}` : undefined;
}

/** Undefined when pi has no such model, or several and none of the current service. */
export function findModel(
  name: string,
  available: unknown,
  current: string | undefined,
): { model: Model; level: string | undefined } | undefined {
  const models = Array.isArray(available) ? available.filter(isModel) : [];
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

function isModel(value: unknown): value is Model {
  const { provider, id } = Object(value) as Partial<Record<keyof Model, unknown>>;
  return typeof provider === "string" && typeof id === "string" && provider !== "" && id !== "";
}
