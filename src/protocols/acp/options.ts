/** How one agent differs from the protocol, as data from its folder: the protocol itself knows no agent. No function here may throw. */
import type { Mode } from "../../events/modes.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { AgentEvent, Location, PermissionOption, Question, Tokens } from "../../events/types.ts";
import type { FailureFacts } from "../failure.ts";
import type { RpcError } from "../json-rpc/index.ts";
import type { JsonObject } from "../json.ts";
import type { GivenAnswer } from "../requests.ts";
import type { Choice } from "./settings.ts";

export interface AcpAgentOptions {
  /** The agent's mode for each mode of Reins. Without any it stays in the mode it starts in, and only the policy of the core holds. */
  readonly modes?: Readonly<Partial<Record<Mode, AcpMode>>> | undefined;
  /** Describes a call where its name and kind do not; missing fields are guessed as for any agent. */
  readonly tool?: (call: AcpCall) => Partial<AcpTool> | undefined;
  /** The call of the subagent that sent an update. `open`: calls that run. */
  readonly parent?: (update: JsonObject, open: readonly AcpCall[]) => string | undefined;
  /** Cleans the text of a thought. */
  readonly thought?: (text: string) => string;
  /** Whether a call was announced before its input is known. */
  readonly unready?: (call: AcpCall) => boolean;
  /** The known call that an update with a new id is about: some agents report a call under one id and ask about it under another. */
  readonly sameCall?: (update: JsonObject, calls: readonly AcpCall[]) => string | undefined;
  /** Decides a permission that nobody needs to be asked about: harmless, or impossible in this mode. */
  readonly verdict?: (asked: AcpTool & { readonly callId?: string }, mode: Mode) => "allow" | "deny" | undefined;
  /** The option to send instead of the chosen one, where that would do something else than it says. */
  readonly sent?: (optionId: string, asked: AcpTool, mode: Mode) => string;
  /** How far options reach, by their ids. */
  readonly scopes?: Readonly<Record<string, PermissionOption["scope"]>>;
  /** Each call is announced before it is asked about, but the request may arrive first, and both before the last words. */
  readonly announcesCalls?: boolean;
  /** The agent reports nothing more about a denied call, so Reins reports its end. */
  readonly silentDenials?: boolean;
  /** Cleans the output of a call. */
  readonly output?: (text: string) => string;
  /** Corrects the content of a call to what the protocol means by it. */
  readonly content?: (items: readonly JsonObject[]) => readonly JsonObject[];
  /** Why a call was not done that the agent reports as completed. */
  readonly undone?: (rawOutput: JsonObject) => AcpUndone | undefined;
  /** Whether this output is of a cancelled call, which the agent reports as completed. */
  readonly calledOff?: (output: string) => boolean;
  /** Changes the blocks of a prompt into what the agent accepts. */
  readonly prompt?: (blocks: readonly JsonObject[]) => readonly JsonObject[];
  /** The agent still sends an earlier conversation after it answered that it is loaded. */
  readonly replaysLate?: boolean;
  /** The agent accepts models that it does not list. */
  readonly unlistedModels?: boolean;
  /** The id of the wanted model, where the agent spells models in a way of its own. */
  readonly model?: (wanted: string, listed: readonly Choice[], current: string | undefined) => string | undefined;
  /** A request of the agent's own that lists more models than a session does. */
  readonly listModels?: { readonly method: string; readonly read: (result: JsonObject) => readonly Choice[] };
  /** Each message of the agent ends with a `usage_update`; one that another follows without it was cut off and is sent again. Not for subagents. */
  readonly usageEndsMessages?: boolean;
  /** Recognises a message that is none, such as an error or a mode that the agent says as text. */
  readonly aside?: (text: string) => AcpAside | undefined;
  /** How to read the usage figures at the end of a turn. Without it they are ignored, because their meaning is unknown. */
  readonly usage?: AcpUsage;
  /** Facts about a failure beyond what the protocol tells. */
  readonly failure?: (error: RpcError) => Partial<FailureFacts>;
  /** The sign-in method that needs no person. By default none is tried. */
  readonly authMethod?: (methods: readonly JsonObject[]) => string | undefined | Promise<string | undefined>;
  /** What to do when the agent is not signed in. */
  readonly signInHelp?: string;
  /** The form field for which this field takes an answer in own words. */
  readonly ownWords?: (field: string) => string | undefined;
  /** Extension methods by name. Each may come as a request, which is answered, or as a notification. */
  readonly methods?: Readonly<Record<string, AcpMethod>> | undefined;
  /** Methods and kinds of updates that mean nothing to Reins. */
  readonly ignored?: readonly string[];
  /** Capabilities of the client beyond those that every agent is told. */
  readonly clientCapabilities?: JsonObject;
  /** `_meta` of the request that begins a session. */
  readonly sessionMeta?: JsonObject;
}

/** A mode of the agent, and the options that belong to it: a resumed session may have been left with others. */
export interface AcpMode {
  readonly id: string;
  readonly options?: Readonly<Record<string, string>>;
  /** Only the user enters it. When the agent goes into it by itself, that means another mode of Reins. */
  readonly chosenOnly?: boolean;
}

/** A call as far as the agent has described it. */
export interface AcpCall {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: ToolKind | undefined;
  readonly title: string | undefined;
  /** The title when the call was announced; a permission may have another. */
  readonly announced?: string | undefined;
  readonly input: unknown;
  readonly locations: readonly Location[];
  readonly meta: JsonObject;
}

export interface AcpTool {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly input: CanonicalInput;
  /** Reported as the input where the agent gives none. */
  readonly given?: unknown;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  /** The files it is about, where the agent names none. */
  readonly locations?: readonly Location[] | undefined;
}

export interface AcpAside {
  /** The agent's own mode that it is in now. */
  readonly mode?: string;
  /** Reported instead of the message. */
  readonly events?: readonly AgentEvent[];
  /** The message that streamed does not count: the agent sends it again. */
  readonly discards?: boolean;
  /** Only if nothing follows; otherwise it is a message like any other. */
  readonly onlyLast?: boolean;
  /** The agent retries because of this failure. */
  readonly retrying?: FailureFacts;
  /** The turn fails with this, however the agent says it ended. */
  readonly failure?: FailureFacts;
}

export interface AcpUsage {
  /** Whether figures are those of the turn, or add up since the process or the session began. */
  readonly counts: "turn" | "process" | "session";
  /** Reads them from the answer to a prompt. Default: its `usage`. */
  readonly tokens?: (result: JsonObject) => Tokens | undefined;
}

export interface AcpUndone {
  readonly message: string;
  readonly reason: "denied" | "error";
}

/** Undefined where the parameters cannot be read. `knows`: whether a call was reported. */
export type AcpMethod = (params: JsonObject, knows: (callId: string) => boolean) => ExtensionCall | undefined;

/** Builds the response to a request that waited. */
interface Responses {
  readonly answered: (answer: GivenAnswer) => unknown;
  readonly cancelled: unknown;
}

/** What a call of an extension method means. `updates` are as in `session/update`, `call` is as in `tool_call_update`. */
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
