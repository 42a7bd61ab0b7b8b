/** Model names with the name of a service as prefix: `anthropic/claude-opus-5-5`. */
const services =
  /^(opencode|anthropic|openai|google|google-vertex|github-copilot|openrouter|amazon-bedrock|azure|mistral|groq|cerebras|xai|deepseek|zai|vercel|huggingface|moonshotai|alibaba|ollama|lmstudio)\//;

const makers: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, "anthropic"],
  [/^gpt-/, "openai"],
  [/^gemini-\d/, "google"],
];

export const servesModel = (model: string): boolean =>
  services.test(model) || makers.some(([pattern]) => pattern.test(model));

/** Adds the service of the maker to a bare model name. */
export function ownModel(model: string): string | undefined {
  const maker = makers.find(([pattern]) => pattern.test(model))?.[1];
  return maker === undefined ? undefined : `${maker}/${model}`;
}

/** These files may start plugins, MCP servers and commands. */
export const protectedFiles: readonly string[] = ["opencode.json", "opencode.jsonc"];
