/** Codex's own spelling is the unified one; only models of the house that makes it are its own. */
export const servesModel = (model: string): boolean => /^(gpt-|codex-|o[1-9](-|$))/.test(model);
