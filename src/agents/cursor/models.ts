/** Cursor serves models of many makers under names of its own, such as `gpt-5.3-codex-low`; only its own models mean it. */
export const servesModel = (model: string): boolean => /^(?:composer-|cursor-)/.test(model);
