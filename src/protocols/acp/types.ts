/** Options and methods of an ACP session. Prompts and answers have the shapes of the agent contract. */
import type { Deadlines } from "../../events/deadlines.ts";
import type { Limits } from "../../events/limits.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import { unknownState } from "../conversation-state.ts";
import type { Classifier } from "../failure.ts";
import type { GivenAnswer } from "../requests.ts";
import type { AcpAgentOptions } from "./options.ts";
import type { Choice } from "./settings.ts";

export interface AcpOptions {
  readonly child: Child;
  /** The agent's display name. */
  readonly name: string;
  /** The agent's id, used in errors and in its state. */
  readonly agent: string;
  readonly quirks: AcpAgentOptions;
  readonly failures: Classifier;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly cwd: string;
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** The agent's id of the session to resume. */
  readonly resume?: string | undefined;
  /** Throws when the version in the agent's first answer is too old. */
  readonly checkVersion?: ((version: string | undefined) => void) | undefined;
  readonly mcpServers?: Readonly<Record<string, AcpMcpServer>> | undefined;
  readonly directories?: readonly string[] | undefined;
  readonly raw?: boolean | undefined;
  /** Encodes the state from the agent's id of the session. Default: `encodeState`. */
  readonly stateOf?: ((sessionId: string) => string) | undefined;
  /** Options that the agent's folder could not apply, one sentence each. */
  readonly divergences?: readonly string[] | undefined;
  /** Cleans up after the agent was closed; `close` waits for it. */
  readonly ended?: (() => Promise<void>) | undefined;
}

export interface AcpSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  prompt(input: AcpPrompt): Promise<void>;
  answer(requestId: string, answer: GivenAnswer): void;
  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void>;
  cancel(): Promise<void>;
  /**
   * The mode by which Reins judges requests: the chosen mode, a narrower one of the agent's own choice, or the one after an approved plan.
   */
  readonly mode: Mode;
  /** Adds events that the agent's folder learned outside the protocol. */
  say(...events: AgentEvent[]): void;
  readonly models: readonly AcpModel[];
  readonly state: string | undefined;
  close(): Promise<void>;
}

export interface AcpModel extends Choice {
  readonly current: boolean;
}

export type AcpMcpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

export type AcpAttachment =
  | { readonly kind: "image"; readonly mediaType: string; readonly data: string; readonly name?: string | undefined }
  | { readonly kind: "image" | "file"; readonly path: string; readonly name?: string | undefined };

export interface AcpPrompt {
  readonly text: string;
  readonly attachments?: readonly AcpAttachment[] | undefined;
}

/** Encodes the opaque state of a leg. Base64 has no colon, so the agent id before it may contain colons. */
export function encodeState(agent: string, sessionId: string): string {
  return `${agent}:1:${Buffer.from(sessionId).toString("base64url")}`;
}

/** Returns the agent's id of the session. Throws `session_not_found` for any state that this version did not write for this agent. */
export function decodeState(agent: string, name: string, state: string): string {
  const sessionId = Buffer.from(state.slice(`${agent}:1:`.length), "base64url").toString();
  if (sessionId !== "" && encodeState(agent, sessionId) === state) return sessionId;
  throw unknownState({ id: agent, name }, state);
}
