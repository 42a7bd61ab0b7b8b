/**
 * A driver: the Agent Client Protocol, version 1, from the client's side. It keeps what it does not know as notices, and leaves
 * what an agent does in its own way to the quirks of the agent's folder.
 */
import { Session } from "./session.ts";
import type { AcpOptions, AcpSession } from "./types.ts";

export type { AcpAside, AcpCall, AcpMeaning, AcpMethod, AcpQuirks, AcpTool } from "./options.ts";
export { decodeState, encodeState } from "./types.ts";
export type { AcpOptions, AcpSession } from "./types.ts";

/** Shakes hands with a process that was just started, and begins or resumes a session. When that fails the process is stopped. */
export async function openAcp(options: AcpOptions): Promise<AcpSession> {
  const session = new Session(options);
  try {
    await session.open();
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}
