/** What each hook comes to: a word on what is about to happen, and what it tells of what happened. */
import { record, text } from "../../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../../events/types.ts";
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
  /** What a conversation begins with, beside the prompt. */
  readonly additionalContext?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Why a prompt may not be sent; undefined where it may. */
  readonly checkPrompt?: ((prompt: string) => string | undefined) | undefined;
  /** What the agent is told when it wants to stop; undefined where it may. */
  readonly goOn?: ((ended: { readonly status: string; readonly loops: number }) => string | undefined) | undefined;
}

type Answers = { [Event in HookEvent]: (input: HookInput<Event>, gone: AbortSignal) => Answer<Event> };
type Answer<Event extends HookEvent> = HookOutput<Event> | Promise<HookOutput<Event>>;

export class Desk {
  readonly #o: DeskOptions;
  readonly #fired = new Set<HookEvent>();
  /** What was decided about a call, and which hooks have had it. */
  readonly #decided = new Map<KnownCall, { readonly word: Promise<Word>; readonly told: Set<HookEvent> }>();

  constructor(options: DeskOptions) {
    this.#o = options;
  }

  fired(event: HookEvent): boolean {
    return this.#fired.has(event);
  }

  turnEnded(): void {
    this.#decided.clear();
  }

  async answer(event: HookEvent, body: string, gone: AbortSignal): Promise<object> {
    this.#fired.add(event);
    const input = hookInputs[event].safeParse(parsed(body));
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
      const { environment: env, additionalContext } = this.#o;
      return {
        ...(env === undefined ? {} : { env: { ...env } }),
        ...(additionalContext === undefined ? {} : { additional_context: additionalContext }),
      };
    },
    sessionEnd: () => ({}),
    preToolUse: async ({ tool_name: name = "", tool_input: input, tool_use_id: id }, gone) => {
      const word = await this.#decide("preToolUse", id, name, json(input), gone);
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
    beforeSubmitPrompt: ({ prompt = "" }) => {
      const refused = this.#o.checkPrompt?.(prompt);
      return refused === undefined ? { continue: true } : { continue: false, user_message: refused };
    },
    preCompact: ({ trigger = "auto", context_tokens: tokens = 0 }) => {
      // Without a conversation of its own it always says 0.
      this.#o.say([{ type: "context.compacted", trigger, ...(tokens > 0 ? { before: tokens } : {}) }]);
      return {};
    },
    stop: ({ status = "completed", loop_count: loops = 0 }) => {
      const next = this.#o.goOn?.({ status, loops });
      return next === undefined ? {} : { followup_message: next };
    },
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
  #decide(event: HookEvent, id: string | undefined, name: string, input: unknown, gone: AbortSignal): Promise<Word> {
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
    const call = calls.hooked(id, name, input);
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
