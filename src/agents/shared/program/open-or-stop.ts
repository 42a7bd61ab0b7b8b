/** Bringing a started agent to where it takes prompts. */
import type { Child } from "../../../process/types.ts";
import type { AgentSession } from "../../contract.ts";

/** When nobody wants it any more meanwhile, its process is ended, and so the opening fails. */
export async function endedOnAbort<Opened>(
  child: Child,
  signal: AbortSignal | undefined,
  open: () => Promise<Opened>,
): Promise<Opened> {
  const giveUp = () => void child.stop({ politely: false });
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    if (signal?.aborted === true) giveUp();
    return await open();
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Opens a session, or ends it: when that fails, and when nobody wants it any more. */
export async function openOrEnd<Session extends Pick<AgentSession, "close"> & { open(): Promise<void> }>(
  session: Session,
  child: Child,
  signal: AbortSignal | undefined,
): Promise<Session> {
  return endedOnAbort(child, signal, async () => {
    try {
      signal?.throwIfAborted();
      await session.open();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  });
}
