/** `opus`, `sonnet` and the other short names are Claude Code's own aliases too, and it updates them itself. */
export const servesModel = (model: string): boolean => /^(claude-|(opus|sonnet|haiku|fable)(\[\w+\])?$)/.test(model);

export const ownModel = (model: string): string | undefined =>
  /^(opus|sonnet|haiku|fable)$/.test(model) ? model : undefined;
