import type { Child } from "../../../process/types.ts";
import type { AgentSession } from "../../contract.ts";

/** Ends the process when `signal` aborts, which makes the opening fail. */
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

/** Opens a session; closes it when opening fails or `signal` aborts. */
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
