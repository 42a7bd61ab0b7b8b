/** Cursor serves models of many makers under its own names, such as `gpt-5.3-codex-low`. Only Cursor's own models select it. */
export const servesModel = (model: string): boolean => /^(?:composer-|cursor-)/.test(model);
