/**
 * Describes how one agent differs from the protocol, as data from the agent's folder. Protocol code has no agent-specific branches. No
 * function here may throw.
 */
import type { Mode } from "../../events/modes.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { AgentEvent, Location, PermissionOption, Question, Tokens } from "../../events/types.ts";
import type { FailureFacts } from "../failure.ts";
import type { RpcError } from "../json-rpc/index.ts";
import type { JsonObject } from "../json.ts";
import type { GivenAnswer } from "../requests.ts";
import type { Choice } from "./settings.ts";

export interface AcpAgentOptions {
  /** The agent's mode for each mode of Reins. Without this the agent stays in its initial mode, and only Reins' policy applies. */
  readonly modes?: Readonly<Partial<Record<Mode, AcpMode>>> | undefined;
  /** Describes a call when its name and kind are not enough. Missing fields are guessed as for any agent. */
  readonly tool?: (call: AcpCall) => Partial<AcpTool> | undefined;
  /** Returns the call of the subagent that sent an update. `open`: calls that run now. */
  readonly parent?: (update: JsonObject, open: readonly AcpCall[]) => string | undefined;
  /** Cleans the text of a thought. */
  readonly thought?: (text: string) => string;
  /** True when a call was announced before its input is known. */
  readonly unready?: (call: AcpCall) => boolean;
  /**
   * Returns the known call that an update with a new id is about. Some agents report a call under one id and ask about it under another.
   */
  readonly sameCall?: (update: JsonObject, calls: readonly AcpCall[]) => string | undefined;
  /** Decides a permission without asking the user, because the call is harmless or impossible in this mode. Undefined: ask. */
  readonly verdict?: (asked: AcpTool & { readonly callId?: string }, mode: Mode) => "allow" | "deny" | undefined;
  /** Returns the option to send instead of the chosen one, for an option whose effect differs from its label. */
  readonly sent?: (optionId: string, asked: AcpTool, mode: Mode) => string;
  /** The scope of permission options, by option id. */
  readonly scopes?: Readonly<Record<string, PermissionOption["scope"]>>;
  /**
   * The agent announces each call before it asks about it, but both messages can overtake text, and the request can overtake the
   * announcement.
   */
  readonly announcesCalls?: boolean;
  /** The agent reports nothing more about a denied call, so Reins reports its end. */
  readonly silentDenials?: boolean;
  /** Cleans the output of a call. */
  readonly output?: (text: string) => string;
  /** Corrects content of a call that does not follow the protocol. */
  readonly content?: (items: readonly JsonObject[]) => readonly JsonObject[];
  /** Returns why a call failed that the agent reports as completed. */
  readonly undone?: (rawOutput: JsonObject) => AcpUndone | undefined;
  /** True when this output belongs to a cancelled call, which the agent reports as completed. */
  readonly calledOff?: (output: string) => boolean;
  /** Changes the blocks of a prompt into those the agent accepts. */
  readonly prompt?: (blocks: readonly JsonObject[]) => readonly JsonObject[];
  /** The agent still sends the earlier conversation after it has answered `session/load`. */
  readonly replaysLate?: boolean;
  /** The agent accepts models that it does not list. */
  readonly unlistedModels?: boolean;
  /** Returns the id of the wanted model, for agents with their own spelling of model names. */
  readonly model?: (wanted: string, listed: readonly Choice[], current: string | undefined) => string | undefined;
  /** An extension request that lists more models than the session does. */
  readonly listModels?: { readonly method: string; readonly read: (result: JsonObject) => readonly Choice[] };
  /**
   * Each message of the agent ends with a `usage_update`. A message followed by another without it was cut off and is sent again. Does not
   * apply to subagents.
   */
  readonly usageEndsMessages?: boolean;
  /** Recognises text that is not a message of the model, such as an error or a mode change. */
  readonly aside?: (text: string) => AcpAside | undefined;
  /** How to read the usage figures at the end of a turn. Without it they are ignored, because ACP does not define what they count. */
  readonly usage?: AcpUsage;
  /** Facts about a failure that the protocol has no field for. */
  readonly failure?: (error: RpcError) => Partial<FailureFacts>;
  /** Returns the id of a sign-in method that needs no person. By default none is tried. */
  readonly authMethod?: (methods: readonly JsonObject[]) => string | undefined | Promise<string | undefined>;
  /** Help text for an agent that is not signed in. */
  readonly signInHelp?: string;
  /** Returns the form field whose free-text answer this field holds. */
  readonly ownWords?: (field: string) => string | undefined;
  /** Extension methods by name. Each may arrive as a request, which is answered, or as a notification. */
  readonly methods?: Readonly<Record<string, AcpMethod>> | undefined;
  /** Methods and kinds of updates that Reins ignores without a notice. */
  readonly ignored?: readonly string[];
  /** Client capabilities in addition to those sent to every agent. */
  readonly clientCapabilities?: JsonObject;
  /** `_meta` of the request that begins a session. */
  readonly sessionMeta?: JsonObject;
}

/** A mode of the agent, and the configuration options to set with it, because a resumed session may have other values. */
export interface AcpMode {
  readonly id: string;
  readonly options?: Readonly<Record<string, string>>;
  /** Only the user can choose this mode. When the agent enters it by itself, another mode of Reins is assumed. */
  readonly chosenOnly?: boolean;
}

/** A call, as far as the agent has described it. */
export interface AcpCall {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: ToolKind | undefined;
  readonly title: string | undefined;
  /** The title when the call was announced; a permission request may have another. */
  readonly announced?: string | undefined;
  readonly input: unknown;
  readonly locations: readonly Location[];
  readonly meta: JsonObject;
}

export interface AcpTool {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly input: CanonicalInput;
  /** Reported as the input when the agent sends none. */
  readonly given?: unknown;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  /** The files of the call, used when the agent names none. */
  readonly locations?: readonly Location[] | undefined;
}

export interface AcpAside {
  /** The agent's current mode, by the agent's id for it. */
  readonly mode?: string;
  /** Events to report instead of the message. */
  readonly events?: readonly AgentEvent[];
  /** Discard the message that streams now, because the agent sends it again. */
  readonly discards?: boolean;
  /** Applies only when nothing follows in the turn; otherwise the text is an ordinary message. */
  readonly onlyLast?: boolean;
  /** The failure because of which the agent retries. */
  readonly retrying?: FailureFacts;
  /** The turn fails with this, even if the agent reports success. */
  readonly failure?: FailureFacts;
}

export interface AcpUsage {
  /** The scope of the figures: one turn, or a running total of the process or of the session. */
  readonly counts: "turn" | "process" | "session";
  /** Reads the tokens from the answer to a prompt. Default: its `usage` field. */
  readonly tokens?: (result: JsonObject) => Tokens | undefined;
}

export interface AcpUndone {
  readonly message: string;
  readonly reason: "denied" | "error";
}

/** Returns undefined for parameters it cannot read. `knows` tells whether a call was already reported. */
export type AcpMethod = (params: JsonObject, knows: (callId: string) => boolean) => ExtensionCall | undefined;

/** Builds the response to a request once it is answered or cancelled. */
interface Responses {
  readonly answered: (answer: GivenAnswer) => unknown;
  readonly cancelled: unknown;
}

/** The meaning of an extension method call. `updates` have the shape of `session/update`, `call` that of `tool_call_update`. */
export type ExtensionCall =
  | { readonly says: "updates"; readonly updates: readonly JsonObject[]; readonly answer: unknown }
  | (Responses & {
      readonly says: "question";
      readonly callId: string | undefined;
      readonly questions: readonly Question[];
    })
  | (Responses & {
      readonly says: "permission";
      readonly call: JsonObject;
      readonly options: readonly PermissionOption[];
      readonly updates: readonly JsonObject[];
    });
