/** Routes each hook: answers requests before actions, and keeps what it reports about finished ones. */
import type { AgentEvent } from "../../../events/types.ts";
import { isRecord, parseJson, record, text } from "../../../protocols/json.ts";
import { program } from "../program.ts";
import { failureOf, outputOf, resultText, type Calls, type KnownCall } from "./calls.ts";
import { gates, type HookEvent } from "./events.ts";
import type { HookRequests, Verdict } from "./requests.ts";
import { hookInputs, type HookInput, type HookOutput } from "./schemas.ts";
import type { HookStreamMerge } from "./stream-merge.ts";

interface HookRouterOptions {
  readonly calls: Calls;
  readonly requests: HookRequests;
  readonly merge: HookStreamMerge;
  readonly say: (events: readonly AgentEvent[]) => void;
  /** The answer to `sessionStart`. */
  readonly beginning: HookOutput<"sessionStart">;
  readonly isPrompted: () => boolean;
}

const unsent = "Reins did not send this prompt, or it was cancelled meanwhile.";
const asContext = `${program.name} accepts no system prompt; a hook passed it on as context.`;
/** Not a `divergence`, which the core has reported already. */
const handedOver: AgentEvent = { type: "notice", level: "info", code: "hooks", message: asContext };

/** A hook that needs no answer gets an empty one. */
type Answers = {
  [Event in HookEvent]: (
    input: HookInput<Event>,
    gone: AbortSignal,
  ) => HookOutput<Event> | Promise<HookOutput<Event>> | void;
};
const nothing = (): void => {};

export class HookRouter {
  readonly #o: HookRouterOptions;
  fired = false;
  #hasBegun = false;
  readonly #decided = new Map<KnownCall, { readonly verdict: Promise<Verdict>; readonly told: Set<HookEvent> }>();

  constructor(options: HookRouterOptions) {
    this.#o = options;
  }

  turnEnded(): void {
    this.#decided.clear();
  }

  async answer(event: HookEvent, body: string, gone: AbortSignal): Promise<object> {
    this.fired = true;
    const given = parseJson(body);
    const fields = isRecord(given)
      ? Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null))
      : given;
    const input = hookInputs[event].safeParse(fields);
    if (input.success) {
      this.#o.merge.heard(input.data.generation_id);
      return (await this.#answers[event](input.data, gone)) ?? {};
    }
    const message = `Reins could not read the input of Cursor's hook ${event}.`;
    this.#o.say([{ type: "notice", level: "warning", code: "unparsed", message }]);
    return gates(event) ? refusal(event, message) : {};
  }

  readonly #answers: Answers = {
    sessionStart: () => {
      const { beginning, say } = this.#o;
      // In print mode every prompt has its own process, and each one starts a session.
      if (beginning.additional_context !== undefined && !this.#hasBegun) say([handedOver]);
      this.#hasBegun = true;
      return beginning;
    },
    sessionEnd: nothing,
    preToolUse: async ({ tool_name: name = "", tool_input: input, tool_use_id: id, cwd }, gone) => {
      const verdict = await this.#decide("preToolUse", id, name, json(input), gone, cwd);
      const { changedInput } = verdict;
      return { ...forAgent(verdict), ...(changedInput === undefined ? {} : { updated_input: changedInput }) };
    },
    postToolUse: ({ tool_name: name = "", tool_input: input, tool_use_id: id, tool_output: output, duration }) => {
      this.#o.calls.hooked(id, name, json(input)).outcome = outputOf(resultText(output), duration);
    },
    postToolUseFailure: (input) => {
      const { tool_name: name = "", tool_use_id: id } = input;
      this.#o.calls.hooked(id, name, json(input.tool_input)).outcome = failureOf(input);
    },
    subagentStart: async ({ tool_call_id: id, task, subagent_type: kind }, gone) =>
      forUser(await this.#decide("subagentStart", id, "Task", { description: task, subagent_type: kind }, gone)),
    subagentStop: ({ tool_call_id: id, task, status, summary, description, duration_ms: duration }) => {
      const told = summary ?? description ?? "";
      const outcome =
        status === "completed" || status === undefined
          ? outputOf(told, duration)
          : failureOf({ error_message: told, is_interrupt: status === "aborted" });
      const { calls } = this.#o;
      const known = id === undefined ? calls.subagent(task, description) : undefined;
      (known ?? calls.hooked(id, "Task", { description: task })).outcome ??= outcome;
    },
    beforeShellExecution: async ({ command, cwd }, gone) =>
      forAgent(await this.#decide("beforeShellExecution", undefined, "Shell", { command, cwd }, gone)),
    afterShellExecution: ({ command, output = "", duration }) => this.#ended("Shell", { command }, output, duration),
    beforeMCPExecution: async ({ tool_name: name = "", tool_input: input }, gone) =>
      forAgent(await this.#decide("beforeMCPExecution", undefined, mcp(name), json(input), gone)),
    afterMCPExecution: ({ tool_name: name = "", tool_input: input, result_json: result, duration }) =>
      this.#ended(mcp(name), json(input), resultText(result), duration),
    beforeReadFile: async ({ file_path: path, content = "" }, gone) => {
      const verdict = await this.#decide("beforeReadFile", undefined, "Read", { path }, gone);
      // The content is the result; no later hook reports it.
      if (verdict.decision !== "deny") this.#ended("Read", { path }, content);
      return forUser(verdict);
    },
    afterFileEdit: ({ file_path: path, edits = [] }) => {
      if (path !== undefined) this.#o.merge.edited(path, edits);
    },
    // Cursor may have changed the text of a prompt, so prompts cannot be recognised by it.
    beforeSubmitPrompt: () => (this.#o.isPrompted() ? { continue: true } : { continue: false, user_message: unsent }),
    preCompact: ({ trigger = "auto", context_tokens: tokens = 0 }) => {
      // Cursor always reports 0 when it has no conversation of its own.
      this.#o.say([{ type: "context.compacted", trigger, ...(tokens > 0 ? { before: tokens } : {}) }]);
    },
    // The session continues by itself, the same for every agent; a follow-up from here would be sent twice.
    stop: nothing,
    afterAgentResponse: ({ text: said }) => this.#o.merge.said("message", said),
    afterAgentThought: ({ text: thought }) => this.#o.merge.said("thought", thought),
    beforeTabFileRead: nothing,
    afterTabFileEdit: nothing,
    workspaceOpen: nothing,
  };

  /**
   * A call has up to three hooks, each possibly twice (in a plugin and in a file); one verdict answers them all. The
   * verdict applies only to exactly this call.
   */
  #decide(
    event: HookEvent,
    id: string | undefined,
    name: string,
    input: unknown,
    gone: AbortSignal,
    cwd?: string,
  ): Promise<Verdict> {
    const { calls, requests } = this.#o;
    const untold = (one: KnownCall): boolean => this.#decided.get(one)?.told.has(event) === false;
    // `subagentStart` describes its call with other fields than `preToolUse`.
    const same = id === undefined || event === "subagentStart" || calls.isUnchanged(id, name, input);
    const earlier = id === undefined ? calls.same(name, input, untold) : calls.get(id);
    const known = earlier && same ? this.#decided.get(earlier) : undefined;
    if (known !== undefined) {
      known.told.add(event);
      return known.verdict;
    }
    const call = calls.hooked(id, name, input, cwd);
    call.asked = true;
    const verdict = requests.ask(call, event === "preToolUse", gone).then((given) => {
      if (given.changedInput !== undefined) calls.changed(call, given.changedInput);
      return given;
    });
    this.#decided.set(call, { verdict, told: new Set([event]) });
    return verdict;
  }

  #ended(name: string, input: unknown, output: string, duration?: number): void {
    const call = this.#o.calls.same(name, input, ({ outcome }) => outcome === undefined);
    if (call !== undefined) call.outcome = outputOf(output, duration);
  }
}

function refusal(event: HookEvent, message: string): object {
  if (event === "beforeSubmitPrompt") return { continue: false, user_message: message };
  if (event === "beforeTabFileRead") return { permission: "deny" };
  const talksToAgent = event === "preToolUse" || event === "beforeShellExecution" || event === "beforeMCPExecution";
  return (talksToAgent ? forAgent : forUser)({ decision: "deny", message });
}

function forUser({ decision, message = "It was not allowed." }: Verdict): HookOutput<"subagentStart"> {
  if (decision === "deny") return { permission: "deny", user_message: message };
  return decision === "allow" ? { permission: "allow" } : {};
}

function forAgent(verdict: Verdict): HookOutput<"beforeShellExecution"> {
  const answer = forUser(verdict);
  return verdict.decision === "deny" ? { ...answer, agent_message: answer.user_message } : answer;
}

const mcp = (name: string): string => (/^mcp:/i.test(name) ? name : `MCP:${name}`);

/** Some inputs come as JSON strings. */
function json(input: unknown): unknown {
  const given = text(input);
  return given === undefined ? input : record(parseJson(given));
}
