/** The Agent Client Protocol, version 1, client side. Unknown messages become notices; `AcpAgentOptions` describes how an agent differs. */
import { Session } from "./session.ts";
import type { AcpOptions, AcpSession } from "./types.ts";

export type { AcpAgentOptions, AcpAside, AcpCall, AcpMethod, AcpTool, ExtensionCall } from "./options.ts";
export { decodeState, encodeState } from "./types.ts";
export type { AcpOptions, AcpSession } from "./types.ts";

/** Begins or resumes a session with a process that was just started. Stops the process when that fails. */
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
