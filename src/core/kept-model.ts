/** The model that a person chose goes with the state of a session: resumed, it goes on with that one, whatever is usual by then. */
const mark = "@model=";

/** A model stands there encoded, so that nothing an agent wrote behind a mark of its own (a path, a number) looks like one. */
const marked = /^(.+)@model=([\w.!~*'()%-]*)$/s;

/** Where a state looks as if it had a model, the end of it is marked without one. */
export function withModel(state: string, model: string | undefined): string {
  if (model === undefined && !marked.test(state)) return state;
  return state + mark + encodeURIComponent((model ?? "").toWellFormed());
}

/** What the agent reads, and the model. */
export function splitState(given: string): { readonly state: string; readonly model?: string } {
  const [, state = given, encoded = ""] = marked.exec(given) ?? [];
  if (encoded === "") return { state };
  try {
    return { state, model: decodeURIComponent(encoded) };
  } catch {
    return { state: given };
  }
}
