/** What a session over ACP is made of. Prompts, answers and the like have the shapes of the contract of an agent. */
import type { Deadlines } from "../../events/deadlines.ts";
import type { Limits } from "../../events/limits.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import { unknownState } from "../conversation-state.ts";
import type { Classifier } from "../failure.ts";
import type { AcpQuirks } from "./options.ts";

export interface AcpOptions {
  readonly child: Child;
  /** The agent's name for people. */
  readonly name: string;
  /** The agent's id, in errors and in its state. */
  readonly agent: string;
  readonly quirks: AcpQuirks;
  /** What its failures mean. */
  readonly failures: Classifier;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly cwd: string;
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** Go on with this session of the agent's. */
  readonly resume?: string | undefined;
  /** Throws when the version in the agent's first answer is too old. */
  readonly checkVersion?: ((version: string | undefined) => void) | undefined;
  readonly mcpServers?: Readonly<Record<string, AcpMcpServer>> | undefined;
  readonly directories?: readonly string[] | undefined;
  readonly raw?: boolean | undefined;
  /** The state from the agent's id of the session, where it is another than the driver's own. */
  readonly stateOf?: ((sessionId: string) => string) | undefined;
  /** What the agent's folder could not do of what was asked for, one sentence each. */
  readonly divergences?: readonly string[] | undefined;
  /** The agent has ended, because it was closed; that is over when this is. */
  readonly ended?: (() => Promise<void>) | undefined;
}

export interface AcpSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  prompt(input: AcpPrompt): Promise<void>;
  answer(requestId: string, answer: AcpAnswer): void;
  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void>;
  cancel(): Promise<void>;
  /** The mode by which it is judged: the one it was put into, a narrower one of its own choice, or the one after a plan that was approved. */
  readonly mode: Mode;
  /** Adds events that its folder learned elsewhere. */
  say(...events: AgentEvent[]): void;
  /** Those it lists. */
  readonly models: readonly AcpModel[];
  /** The sessions it keeps for this folder. */
  list(): Promise<readonly AcpListed[]>;
  readonly state: string | undefined;
  close(): Promise<void>;
}

export interface AcpModel {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly current: boolean;
}

export interface AcpListed {
  readonly sessionId: string;
  readonly cwd: string | undefined;
  readonly title: string | undefined;
  readonly updatedAt: string | undefined;
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

/** To a permission or to questions; which of them it is, the request says. */
export interface AcpAnswer {
  readonly decision: "allow" | "deny" | "ask" | "defer" | "answer" | "skip";
  readonly optionId?: string | undefined;
  readonly always?: boolean | undefined;
  readonly changedInput?: unknown;
  readonly stop?: boolean | undefined;
  /** With `deny`: the turn is being stopped. */
  readonly cancelled?: true | undefined;
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** What the agent is told beside it, where its wire can carry that. */
  readonly message?: string | undefined;
}

/** The opaque state of a leg. An id of a session may be any text; so encoded it has no colon, and the agent's id before it can have some. */
export function encodeState(agent: string, sessionId: string): string {
  return `${agent}:1:${Buffer.from(sessionId).toString("base64url")}`;
}

/** The agent's id of the session. Throws `session_not_found` for anything this version did not write for this agent. */
export function decodeState(agent: string, name: string, state: string): string {
  const sessionId = Buffer.from(state.slice(`${agent}:1:`.length), "base64url").toString();
  if (sessionId !== "" && encodeState(agent, sessionId) === state) return sessionId;
  throw unknownState({ id: agent, name }, state);
}
