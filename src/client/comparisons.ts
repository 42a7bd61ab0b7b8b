import type { Comparison, ComparisonsApi, Reins } from "../core/api.ts";
import { ReinsError } from "../events/errors.ts";
import { absolute, promptBody } from "./body.ts";
import { pathPart } from "./kept-sessions.ts";
import type { ClientContext } from "./session.ts";

export function comparisonsOf(
  { http, cwd, newId }: Pick<ClientContext, "http" | "cwd" | "newId">,
  reins: () => Pick<Reins, "session">,
): ComparisonsApi {
  const one = (id: string): string => `/api/comparisons/${pathPart(id)}`;
  return {
    create: ({ prompt, cwd: folder, ...wanted }) => {
      const body = { ...wanted, cwd: absolute(folder, cwd), prompt: promptBody(prompt, cwd) };
      return http.post("/api/comparisons", body, { key: newId() });
    },
    list: () => http.field("comparisons", "/api/comparisons"),
    get: (id) => http.get(one(id)),
    async session(id, entry) {
      const { entries } = await http.get<Comparison>(one(id));
      const found = entries.find(({ number }) => number === entry)?.session;
      if (found === undefined) throw new ReinsError("invalid_input", `Entry ${entry} has no session.`);
      return reins().session({ resume: found, attended: true });
    },
    keep: (id, entry, how) => http.post(`${one(id)}/keep/${entry}`, { how }),
    remove: async (id) => (await http.delete<{ readonly branches: readonly string[] }>(one(id))).branches,
  };
}
