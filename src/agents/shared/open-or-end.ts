import type { Child } from "../../process/types.ts";
import type { AgentSession } from "../contract.ts";

/** Brings a started agent to where it takes prompts, or ends it: when that fails, and when nobody wants it any more. */
export async function openOrEnd<Session extends Pick<AgentSession, "close"> & { open(): Promise<void> }>(
  session: Session,
  child: Child,
  signal: AbortSignal | undefined,
): Promise<Session> {
  const giveUp = () => void child.stop({ politely: false });
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    signal?.throwIfAborted();
    await session.open();
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
  return session;
}
