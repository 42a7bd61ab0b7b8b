/** Whether the key works: its service is asked for its list of models. */
import type { AgentContext, Verification } from "../contract.ts";

const address = "https://generativelanguage.googleapis.com";

export async function verifyKey({ env, deadlines, fetch: ask = fetch }: AgentContext): Promise<Verification> {
  const key = env["GEMINI_API_KEY"];
  if (!key) return { outcome: "no_key", message: "GEMINI_API_KEY is not set; an account shows only in a prompt." };
  const url = `${env["GOOGLE_GEMINI_BASE_URL"] || address}/v1beta/models?pageSize=1`;
  try {
    const { ok, status } = await ask(url, {
      headers: { "x-goog-api-key": key },
      signal: AbortSignal.timeout(deadlines.request),
    });
    if (ok) return { outcome: "works", message: "The service took the key." };
    if (status >= 500) return { outcome: "unreachable", message: `The service answered with status ${status}.` };
    return { outcome: "refused", message: `The service refused the key with status ${status}.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { outcome: "unreachable", message: `The service could not be asked: ${why}.` };
  }
}
