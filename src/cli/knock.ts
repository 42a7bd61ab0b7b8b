import { answered, wholeOf } from "./light-http.ts";

/** Whether a server answers there. */
export async function knock(url: string, deadline?: AbortSignal): Promise<boolean> {
  try {
    const answer = await answered(`${url}/health`, {}, deadline);
    // All of it, so that the connection is there for what is asked next.
    await wholeOf(answer);
    return answer.status === 200;
  } catch {
    return false;
  }
}
