/** What one agent does in its own way, as data from its folder: the driver itself knows no agent. Nothing in it may throw. */
import type { Mode } from "../../events/modes.ts";
import type { CanonicalInput, Tool, ToolKind } from "../../events/tools.ts";
import type { AgentEvent, Location, PermissionOption, Question, Tokens } from "../../events/types.ts";
import type { FailureFacts } from "../failure.ts";
import type { RpcError } from "../json-rpc/index.ts";
import type { JsonObject } from "../json.ts";
import type { Choice } from "./settings.ts";
import type { AcpAnswer } from "./types.ts";

export interface AcpQuirks {
  /** Each mode it can be put into. Without any, it stays in the mode it starts in and only the core's policy holds. */
  readonly modes?: Readonly<Partial<Record<Mode, AcpMode>>> | undefined;
  /** What a call is, where its name and kind do not tell; what is left out is found as for any agent. */
  readonly tool?: ((call: AcpCall) => Partial<AcpTool> | undefined) | undefined;
  /** The call of the subagent that says this; `open` are the calls that are under way. */
  readonly parent?: ((update: JsonObject, open: readonly AcpCall[]) => string | undefined) | undefined;
  /** A thought as it is to be read. */
  readonly thought?: ((text: string) => string) | undefined;
  /** It announces a call before it tells what it is. */
  readonly unready?: ((call: AcpCall) => boolean) | undefined;
  /** The call that this one is, whose id is new: some tell of a call under one id and ask about it under another. */
  readonly sameCall?: ((update: JsonObject, calls: readonly AcpCall[]) => string | undefined) | undefined;
  /** What it asks for and no person needs to say: harmless, or out of the question in this mode. */
  readonly verdict?:
    | ((asked: AcpTool & { readonly callId?: string }, mode: Mode) => "allow" | "deny" | undefined)
    | undefined;
  /** The option that is sent for this one, which would do other than it says. */
  readonly sent?: ((optionId: string, asked: AcpTool, mode: Mode) => string) | undefined;
  /** How far its options reach, by their ids. */
  readonly scopes?: Readonly<Record<string, PermissionOption["scope"]>> | undefined;
  /** It announces each call before it asks about it, but the question may arrive first, and both before the last words. */
  readonly announcesCalls?: boolean | undefined;
  /** It says nothing more of a call that was denied: its end is told by us. */
  readonly silentDenials?: boolean | undefined;
  /** What a call put out, as it is to be read. */
  readonly output?: ((text: string) => string) | undefined;
  /** The content of a call, as the protocol means it. */
  readonly content?: ((items: readonly JsonObject[]) => readonly JsonObject[]) | undefined;
  /** Why a call was not done that it reports as done. */
  readonly undone?: ((rawOutput: JsonObject) => AcpUndone | undefined) | undefined;
  /** The output of a call that was called off, which it reports as done. */
  readonly calledOff?: ((output: string) => boolean) | undefined;
  /** The blocks of a prompt as it takes them. */
  readonly prompt?: ((blocks: readonly JsonObject[]) => readonly JsonObject[]) | undefined;
  /** It still tells an earlier conversation after it said that it is loaded. */
  readonly replaysLate?: boolean | undefined;
  /** It takes other models than it lists, also where it lists none. */
  readonly unlistedModels?: boolean | undefined;
  /** The id of the model that is meant, where it spells its models in a way of its own. */
  readonly model?:
    | ((wanted: string, listed: readonly Choice[], current: string | undefined) => string | undefined)
    | undefined;
  /** A request of its own that lists more models than a session does. */
  readonly listModels?:
    | { readonly method: string; readonly read: (result: JsonObject) => readonly Choice[] }
    | undefined;
  /** Each message of its own, and none of a subagent, ends with a `usage_update`: one that another follows without it was broken off, and is said again. */
  readonly usageEndsMessages?: boolean | undefined;
  /** What is said like a message and is none. */
  readonly aside?: ((text: string) => AcpAside | undefined) | undefined;
  /** What the figures beside the end of a turn mean. Without it they mean nothing sure, and are left out. */
  readonly usage?: AcpUsage | undefined;
  /** More that is known of a failure than the protocol itself says of it. */
  readonly failure?: ((error: RpcError) => Partial<FailureFacts>) | undefined;
  /** The way to sign in that needs no person, where there is one; by default none is tried. */
  readonly authMethod?:
    | ((methods: readonly JsonObject[]) => string | undefined | Promise<string | undefined>)
    | undefined;
  /** What to do when it is not signed in. */
  readonly signInHelp?: string | undefined;
  /** The field of a form that this one takes an answer in own words for. */
  readonly ownWords?: ((field: string) => string | undefined) | undefined;
  /** Methods of its own by name, as what they mean; each may come as a request, which is answered, or as a notification. */
  readonly methods?: Readonly<Record<string, AcpMethod>> | undefined;
  /** Methods and kinds of updates that are known and mean nothing to us. */
  readonly ignored?: readonly string[] | undefined;
  /** What we can do for it beside what we do for every agent. */
  readonly clientCapabilities?: JsonObject | undefined;
  /** What it wants to know beside the start of a session. */
  readonly sessionMeta?: JsonObject | undefined;
}

/** One of its modes, and the options that belong to it: a resumed session may have been left with others. */
export interface AcpMode {
  readonly id: string;
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** Only a person puts it there: where the agent goes into it by itself, that is another of our modes. */
  readonly chosenOnly?: boolean | undefined;
}

/** A call as far as the agent has told of it. */
export interface AcpCall {
  readonly id: string;
  readonly name: string | undefined;
  readonly kind: ToolKind | undefined;
  readonly title: string | undefined;
  /** Its title when it was announced; a permission may have another. */
  readonly announced?: string | undefined;
  readonly input: unknown;
  readonly locations: readonly Location[];
  readonly meta: JsonObject;
}

export interface AcpTool {
  readonly tool: Tool;
  readonly nativeName: string;
  readonly input: CanonicalInput;
  /** Told as its input where the agent gives none. */
  readonly given?: unknown;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  /** The files it is about, where the agent tells none. */
  readonly locations?: readonly Location[] | undefined;
}

export interface AcpAside {
  /** The mode of its own that it is in now. */
  readonly mode?: string | undefined;
  /** Said instead. */
  readonly events?: readonly AgentEvent[] | undefined;
  /** What it was just saying does not count: it says it again. */
  readonly discards?: boolean | undefined;
  /** Only where nothing is said after it; else it is a message like any other. */
  readonly onlyLast?: boolean | undefined;
  /** It tries again, because of this. */
  readonly retrying?: FailureFacts | undefined;
  /** The turn fails with this, however it says it ended. */
  readonly failure?: FailureFacts | undefined;
}

export interface AcpUsage {
  /** Whether figures are those of the turn, or add up since the process or the session began. */
  readonly counts: "turn" | "process" | "session";
  /** Where they are in the answer to a prompt; by default in its `usage`. */
  readonly tokens?: ((result: JsonObject) => Tokens | undefined) | undefined;
}

export interface AcpUndone {
  readonly message: string;
  readonly reason: "denied" | "error";
}

/** Nothing where it cannot be read. `knows`: whether a call was told of. */
export type AcpMethod = (params: JsonObject, knows: (callId: string) => boolean) => AcpMeaning | undefined;

/** `updates` are what `session/update` would have told. */
export type AcpMeaning =
  | {
      readonly says: "updates";
      readonly updates: readonly JsonObject[];
      /** Where one is waited for. */ readonly answer: unknown;
    }
  | {
      readonly says: "question";
      readonly callId: string | undefined;
      readonly questions: readonly Question[];
      readonly answered: (answer: AcpAnswer) => unknown;
      readonly cancelled: unknown;
    }
  | {
      readonly says: "permission";
      /** As in a `tool_call_update`; the answer is all that comes of it. */
      readonly call: JsonObject;
      readonly options: readonly PermissionOption[];
      readonly updates: readonly JsonObject[];
      readonly answered: (answer: AcpAnswer) => unknown;
      readonly cancelled: unknown;
    };
