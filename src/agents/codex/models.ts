/** Codex spells model names as Reins does. Only OpenAI's models select Codex. */
export const servesModel = (model: string): boolean => /^(gpt-|codex-|o[1-9](-|$))/.test(model);
