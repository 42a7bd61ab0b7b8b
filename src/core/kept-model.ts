/** The model that a person chose goes with the state of a session: resumed, it goes on with that one, whatever is usual by then. */
const mark = "@model=";

export function withModel(state: string, model: string | undefined): string {
  return model === undefined ? state : state + mark + encodeURIComponent(model.toWellFormed());
}

/** What the agent reads, and the model. A model as it stands there has no mark in it, so the last one is ours. */
export function splitState(given: string): { readonly state: string; readonly model?: string } {
  const at = given.lastIndexOf(mark);
  const model = at < 1 ? "" : decoded(given.slice(at + mark.length));
  return model === "" ? { state: given } : { state: given.slice(0, at), model };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
