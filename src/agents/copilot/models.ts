/** Copilot serves models of many makers, under names with dots: `claude-opus-5.5`. It has no short names. */
export const servesModel = (model: string): boolean =>
  /^(?:claude-(?:opus|sonnet|haiku|fable)-\d|gpt-\d|gemini-\d|grok-\d|kimi-k\d|mai-code-)/.test(model);

/** Other services write a version with dashes. */
export const ownModel = (model: string): string | undefined => {
  const own = model.replace(/^(claude-[a-z]+-\d+)-(\d+)(?=$|-)/, "$1.$2");
  return own === model ? undefined : own;
};
