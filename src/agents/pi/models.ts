/** It serves whatever its services serve, under their names, or under a service's name and a slash. */
const services =
  /^(anthropic|openai|openai-codex|google|google-vertex|github-copilot|openrouter|amazon-bedrock|mistral|groq|cerebras|xai|deepseek|zai|vercel-ai-gateway|huggingface|opencode)\//;

export const servesModel = (model: string): boolean => /^(claude|gpt|gemini)-/.test(model) || services.test(model);
