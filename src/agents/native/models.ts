/** Which model names mean this agent. Light: it is asked before anything of the agent is loaded. */
const named = /^(anthropic|openai|google|compatible)\/./;
const plain = /^(claude-|gpt-|o\d|gemini-)/;

/** Plain names belong to other agents first: it stands behind them in the list. */
export const servesModel = (model: string): boolean => named.test(model) || plain.test(model);
