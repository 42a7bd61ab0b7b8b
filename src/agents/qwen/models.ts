/** Qwen Code uses the service's own model names; with a custom service any name may be valid. */
export const servesModel = (model: string): boolean => /^(qwen|qwq|coder-model$)/.test(model);
