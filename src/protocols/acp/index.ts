/** The Agent Client Protocol, version 1, from the client's side. Unknown messages become notices; `AcpAgentOptions` tells how an agent differs. */
import { Session } from "./session.ts";
import type { AcpOptions, AcpSession } from "./types.ts";

export type { AcpAgentOptions, AcpAside, AcpCall, AcpMethod, AcpTool, ExtensionCall } from "./options.ts";
export { decodeState, encodeState } from "./types.ts";
export type { AcpOptions, AcpSession } from "./types.ts";

/** Begins or resumes a session with a process that was just started. When that fails the process is stopped. */
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
