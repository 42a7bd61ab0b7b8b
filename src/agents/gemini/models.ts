/** With `auto` the program chooses a model for each turn; `pro`, `flash` and `flash-lite` change with the program's version. */
export const servesModel = (model: string): boolean => /^(gemini-|(pro|flash|flash-lite)$)/.test(model);

/** The short names in the table of unified names are its own without the maker's name. */
export const ownModel = (model: string): string | undefined => /^gemini-(pro|flash|flash-lite)$/.exec(model)?.[1];
