import type { PolicyView } from "../core/api.ts";
import type { PolicyAnswer } from "../server/schemas/settings.ts";
import type { Http } from "./http.ts";

/** The rules that count in a folder of the server's machine. */
export async function policyOf(http: Http, cwd: string | undefined): Promise<PolicyView> {
  const { rules, remarks, cwd: folder } = await http.get<PolicyAnswer>("/api/policy", { cwd });
  return {
    cwd: folder,
    rules,
    remarks,
    test: (call) => http.post("/api/policy/test", { ...call, cwd: folder }),
    remove: (number) => http.delete(`/api/policy/${encodeURIComponent(number)}`, { cwd: folder }),
  };
}
