/** It serves what its services serve, under the name of the service and of the model: `anthropic/claude-opus-5-5`. */
const services =
  /^(opencode|anthropic|openai|google|google-vertex|github-copilot|openrouter|amazon-bedrock|azure|mistral|groq|cerebras|xai|deepseek|zai|vercel|huggingface|moonshotai|alibaba|ollama|lmstudio)\//;

const makers: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^gpt-/, "openai"],
  [/^gemini-\d/, "google"],
];

export const servesModel = (model: string): boolean =>
  services.test(model) || makers.some(([pattern]) => pattern.test(model));

/** With its maker's service in front, where it is a maker's name alone. */
export function ownModel(model: string): string | undefined {
  const maker = makers.find(([pattern]) => pattern.test(model))?.[1];
  return maker === undefined ? undefined : `${maker}/${model}`;
}

/** Its plugins, MCP servers and commands are started from these. */
export const protectedFiles: readonly string[] = ["opencode.json", "opencode.jsonc"];
