/** Codex spells model names as Reins does; only models of OpenAI mean Codex. */
export const servesModel = (model: string): boolean => /^(gpt-|codex-|o[1-9](-|$))/.test(model);
