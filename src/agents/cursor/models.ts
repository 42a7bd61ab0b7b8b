/** Cursor serves models of many makers under its own names, such as `gpt-5.3-codex-low`. Only the name of one of Cursor's own models selects Cursor as the agent. */
export const servesModel = (model: string): boolean => /^(?:composer-|cursor-)/.test(model);
