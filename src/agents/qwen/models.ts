/** Its own name of a model is the service's; with a service of one's own any name may be one. */
export const servesModel = (model: string): boolean => /^(qwen|qwq|coder-model$)/.test(model);
