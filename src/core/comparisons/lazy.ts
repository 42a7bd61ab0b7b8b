/** Loads the comparisons on first use. */
import type { ComparisonsApi } from "./types.ts";

/** `refuse` rethrows errors without secrets. */
export function lazyComparisons(
  opened: () => Promise<ComparisonsApi>,
  refuse: (thrown: unknown) => never,
): ComparisonsApi {
  const ask = async <Answer>(work: (comparisons: ComparisonsApi) => Promise<Answer>): Promise<Answer> => {
    try {
      return await work(await opened());
    } catch (thrown) {
      return refuse(thrown);
    }
  };
  return {
    create: (wanted) => ask((all) => all.create(wanted)),
    list: () => ask((all) => all.list()),
    get: (id) => ask((all) => all.get(id)),
    session: (id, entry) => ask((all) => all.session(id, entry)),
    keep: (id, entry, how) => ask((all) => all.keep(id, entry, how)),
    remove: (id) => ask((all) => all.remove(id)),
  };
}
