/** `opus` and its like are Claude Code's own names too, and it moves them on by itself. */
export const servesModel = (model: string): boolean => /^(claude-|(opus|sonnet|haiku|fable)(\[\w+\])?$)/.test(model);

export const ownModel = (model: string): string | undefined =>
  /^(opus|sonnet|haiku|fable)$/.test(model) ? model : undefined;
