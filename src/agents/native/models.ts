/** Model names that select this agent. No imports, because this is asked before the agent is loaded. */
const named = /^(anthropic|openai|google|compatible)\/./;
const plain = /^(claude-|gpt-|o\d|gemini-)/;

export const servesModel = (model: string): boolean => named.test(model) || plain.test(model);
