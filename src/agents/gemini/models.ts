/** `auto` is its own choice for each turn; `pro`, `flash` and `flash-lite` move on with the program. */
export const servesModel = (model: string): boolean => /^(gemini-|(pro|flash|flash-lite)$)/.test(model);

/** The short names of the one table are its own without the maker's name. */
export const ownModel = (model: string): string | undefined => /^gemini-(pro|flash|flash-lite)$/.exec(model)?.[1];
