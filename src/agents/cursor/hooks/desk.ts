/** What each hook comes to: a word on what is about to happen, and what it tells of what happened. */
import { isRecord, record, text } from "../../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { program } from "../program.ts";
import type { Calls, KnownCall } from "./calls.ts";
import { gates } from "./events.ts";
import type { HookEvent } from "./events.ts";
import type { Gate, Word } from "./gate.ts";
import type { Merging } from "./merging.ts";
import { failureOf, outputOf, resultOf } from "./outcomes.ts";
import { hookInputs } from "./schemas.ts";
import type { HookInput, HookOutput } from "./schemas.ts";

export interface DeskOptions {
  readonly calls: Calls;
  readonly gate: Gate;
  readonly merging: Merging;
  readonly say: (events: readonly AgentEvent[]) => void;
  readonly beginning: HookOutput<"sessionStart">;
  /** Whether Reins has sent a prompt that nobody has cancelled. */
  readonly isPrompted: () => boolean;
}

const unsent = "Reins did not send this prompt, or it was cancelled meanwhile.";
const handedOver: AgentEvent = {
  type: "notice",
  level: "info",
  // No further divergence: that it cannot be done properly was said by the core.
  code: "hooks",
  message: `${program.name} takes no system prompt; a hook gave it to it as context.`,
};

type Answers = { [Event in HookEvent]: (input: HookInput<Event>, gone: AbortSignal) => Answer<Event> };
type Answer<Event extends HookEvent> = HookOutput<Event> | Promise<HookOutput<Event>>;

export class Desk {
  readonly #o: DeskOptions;
  readonly #fired = new Set<HookEvent>();
  #hasBegun = false;
  /** What was decided about a call, and which hooks have had it. */
  readonly #decided = new Map<KnownCall, { readonly word: Promise<Word>; readonly told: Set<HookEvent> }>();

  constructor(options: DeskOptions) {
    this.#o = options;
  }

  fired(event?: HookEvent): boolean {
    return event === undefined ? this.#fired.size > 0 : this.#fired.has(event);
  }

  turnEnded(): void {
    this.#decided.clear();
  }

  async answer(event: HookEvent, body: string, gone: AbortSignal): Promise<object> {
    this.#fired.add(event);
    const input = hookInputs[event].safeParse(withoutNulls(parsed(body)));
    if (input.success) {
      this.#o.merging.heard(text(record(input.data)["generation_id"]));
      return this.#answers[event](input.data, gone);
    }
    const message = `A hook of Cursor's (${event}) says something that Reins does not understand.`;
    this.#o.say([{ type: "notice", level: "warning", code: "unparsed", message }]);
    return gates(event) ? refusal(event, message) : {};
  }

  readonly #answers: Answers = {
    sessionStart: () => {
      const { beginning, say } = this.#o;
      // Where every prompt has a process, each begins anew.
      if (beginning.additional_context !== undefined && !this.#hasBegun) say([handedOver]);
      this.#hasBegun = true;
      return beginning;
    },
    sessionEnd: () => ({}),
    preToolUse: async ({ tool_name: name = "", tool_input: input, tool_use_id: id, cwd }, gone) => {
      const word = await this.#decide("preToolUse", id, name, json(input), gone, cwd);
      const { changedInput } = word;
      return { ...permission(word), ...(changedInput === undefined ? {} : { updated_input: changedInput }) };
    },
    postToolUse: ({ tool_name: name = "", tool_input: input, tool_use_id: id, tool_output: output, duration }) => {
      this.#o.calls.hooked(id, name, json(input)).outcome = outputOf(resultOf(output), duration);
      return {};
    },
    postToolUseFailure: (input) => {
      const { tool_name: name = "", tool_use_id: id } = input;
      this.#o.calls.hooked(id, name, json(input.tool_input)).outcome = failureOf(input);
      return {};
    },
    subagentStart: async ({ tool_call_id: id, task, subagent_type: kind }, gone) => {
      const word = await this.#decide("subagentStart", id, "Task", { description: task, subagent_type: kind }, gone);
      return forPeople(word);
    },
    subagentStop: ({ tool_call_id: id, task, status, summary, description, duration_ms: duration }) => {
      const told = summary ?? description ?? "";
      const outcome =
        status === "completed" || status === undefined
          ? outputOf(told, duration)
          : failureOf({ error_message: told, is_interrupt: status === "aborted" });
      const { calls } = this.#o;
      const known = id === undefined ? calls.subagent(task, description) : undefined;
      (known ?? calls.hooked(id, "Task", { description: task })).outcome ??= outcome;
      return {};
    },
    beforeShellExecution: async ({ command, cwd }, gone) =>
      permission(await this.#decide("beforeShellExecution", undefined, "Shell", { command, cwd }, gone)),
    afterShellExecution: ({ command, output = "", duration }) => {
      this.#came("Shell", { command }, output, duration);
      return {};
    },
    beforeMCPExecution: async ({ tool_name: name = "", tool_input: input }, gone) =>
      permission(await this.#decide("beforeMCPExecution", undefined, mcp(name), json(input), gone)),
    afterMCPExecution: ({ tool_name: name = "", tool_input: input, result_json: result, duration }) => {
      this.#came(mcp(name), json(input), resultOf(result), duration);
      return {};
    },
    beforeReadFile: async ({ file_path: path, content = "" }, gone) => {
      const input = { path };
      const word = await this.#decide("beforeReadFile", undefined, "Read", input, gone);
      // What it reads is known, and nothing more is told of it.
      if (word.decision !== "deny") this.#came("Read", input, content, undefined);
      return forPeople(word);
    },
    afterFileEdit: ({ file_path: path, edits = [] }) => {
      if (path !== undefined) this.#o.merging.edited(path, edits);
      return {};
    },
    // Which prompt it is cannot be told by its words, as Cursor may have changed them.
    beforeSubmitPrompt: () => (this.#o.isPrompted() ? { continue: true } : { continue: false, user_message: unsent }),
    preCompact: ({ trigger = "auto", context_tokens: tokens = 0 }) => {
      // Without a conversation of its own it always says 0.
      this.#o.say([{ type: "context.compacted", trigger, ...(tokens > 0 ? { before: tokens } : {}) }]);
      return {};
    },
    // Going on is for the session, which does it alike for every agent; from here it would happen twice.
    stop: () => ({}),
    afterAgentResponse: ({ text: said }) => {
      this.#o.merging.said("message", said);
      return {};
    },
    afterAgentThought: ({ text: thought }) => {
      this.#o.merging.said("thought", thought);
      return {};
    },
    beforeTabFileRead: () => ({}),
    afterTabFileEdit: () => ({}),
    workspaceOpen: () => ({}),
  };

  /**
   * One call has up to three hooks, which one word answers; and each may be there twice, in a plugin and in a file. It holds only for what
   * it was said about.
   */
  #decide(
    event: HookEvent,
    id: string | undefined,
    name: string,
    input: unknown,
    gone: AbortSignal,
    cwd?: string,
  ): Promise<Word> {
    const { calls, gate } = this.#o;
    const untold = (one: KnownCall): boolean => this.#decided.get(one)?.told.has(event) === false;
    // The one that starts a subagent tells of it in other words than the one for every tool.
    const same = id === undefined || event === "subagentStart" || calls.isUnchanged(id, name, input);
    const earlier = id === undefined ? calls.same(name, input, untold) : calls.get(id);
    const known = earlier && same ? this.#decided.get(earlier) : undefined;
    if (known !== undefined) {
      known.told.add(event);
      return known.word;
    }
    const call = calls.hooked(id, name, input, cwd);
    call.asked = true;
    const word = gate.ask(call, event === "preToolUse", gone).then((given) => {
      if (given.changedInput !== undefined) calls.changed(call, given.changedInput);
      return given;
    });
    this.#decided.set(call, { word, told: new Set([event]) });
    return word;
  }

  #came(name: string, input: unknown, output: string, duration: number | undefined): void {
    const call = this.#o.calls.same(name, input, ({ outcome }) => outcome === undefined);
    if (call !== undefined) call.outcome = outputOf(output, duration);
  }
}

function permission({ decision, message }: Word): { permission?: "allow" | "deny" } {
  return decision === "deny" ? denied(message) : decision === "allow" ? { permission: "allow" } : {};
}

function refusal(event: HookEvent, message: string): object {
  if (event === "beforeSubmitPrompt") return { continue: false, user_message: message };
  if (event === "beforeTabFileRead") return { permission: "deny" };
  const talksToAgent = event === "preToolUse" || event === "beforeShellExecution" || event === "beforeMCPExecution";
  return talksToAgent ? denied(message) : forPeople({ decision: "deny", message });
}

function denied(message = "It was not allowed."): { permission: "deny"; user_message: string; agent_message: string } {
  return { permission: "deny", user_message: message, agent_message: message };
}

function forPeople({ decision, message = "It was not allowed." }: Word): {
  permission?: "allow" | "deny";
  user_message?: string;
} {
  if (decision === "deny") return { permission: "deny", user_message: message };
  return decision === "allow" ? { permission: "allow" } : {};
}

const mcp = (name: string): string => (/^mcp:/i.test(name) ? name : `MCP:${name}`);

/** Some inputs come as the text of their JSON. */
function json(input: unknown): unknown {
  const given = text(input);
  return given === undefined ? input : record(parsed(given));
}

/** A field that is null is one that is missing. */
function withoutNulls(value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
