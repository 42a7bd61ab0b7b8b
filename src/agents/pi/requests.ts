/**
 * Calls that wait for Reins in the hold extension, and dialogs of other extensions, which become questions. pi has no
 * rules of its own, so Reins decides.
 */
import type { AgentEvent, Question } from "../../events/types.ts";
import { parseJson, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { AgentRequests, type FinalAnswer, type ParsedRequest } from "../../protocols/requests.ts";
import type { WireRequest } from "../../protocols/stream-json/index.ts";
import type { ToolNames } from "../shared/tool-filter.ts";
import type { HoldReply } from "./hold-extension.ts";
import { fileBefore, isOwnTool, proposedDiff, toolCall, type Places } from "./tools.ts";
import type { Calls } from "./translate-calls.ts";

export interface PiRequestsOptions extends Places {
  /** Only the hold extension knows this title. */
  readonly title: string;
  readonly names: ToolNames;
  readonly calls: Calls;
  /** Answers a dialog; without an answer the dialog is closed. */
  readonly respond: (dialogId: string, answer: object | undefined) => void;
  readonly say: (events: readonly AgentEvent[]) => void;
  readonly stop: () => void;
}

export function piRequests(options: PiRequestsOptions): AgentRequests<WireRequest> {
  const reply = (dialogId: string, answer: HoldReply): void =>
    options.respond(dialogId, { value: JSON.stringify(answer) });
  return new AgentRequests<WireRequest>({
    name: "pi",
    asksAboutHolds: true,
    parse: (native) => {
      const { id, body } = native;
      return body["title"] === options.title
        ? parseHold(native, options)
        : { id, kind: "question", questions: [questionOf(body)] };
    },
    refuse: ({ id }) => {
      reply(id, { decision: "deny" });
      return "a tool call without a name or an id";
    },
    reply: (request, answer, { id, body }) => {
      if (request.kind === "hold") reply(id, decide(request.call, answer, options));
      else options.respond(id, dialogAnswer(body, answer));
      if (answer.decision === "deny" && answer.stop) options.stop();
    },
  });
}

type Hold = Extract<ParsedRequest, { kind: "hold" }>;

function parseHold({ id, body }: WireRequest, options: PiRequestsOptions): Hold | undefined {
  const { toolName, toolCallId, input = {} } = record(parseJson(body["placeholder"]));
  const [nativeName, callId] = [text(toolName), text(toolCallId)];
  if (nativeName === undefined || callId === undefined) return undefined;
  const before = fileBefore(nativeName, input, options);
  options.calls.held(callId, before);
  const { tool, title, locations } = toolCall(nativeName, input, options);
  const diff = proposedDiff(before, nativeName, record(input), options.cwd);
  const filter = options.names.filterOf(nativeName);
  const guessed = isOwnTool(nativeName) ? undefined : true;
  return { id, kind: "hold", call: { callId, tool, nativeName, title, input, locations, diff, filter, guessed } };
}

function decide({ callId, nativeName }: Hold["call"], answer: FinalAnswer, options: PiRequestsOptions): HoldReply {
  const { calls, say } = options;
  if (answer.decision !== "allow") {
    calls.stopped(callId, answer.decision === "cancel" ? "cancelled" : "denied");
    return { decision: "deny", reason: "message" in answer ? answer.message : undefined };
  }
  const { input, unasked, optionId } = answer;
  calls.allow(callId);
  if (input !== undefined) say(calls.inputChanged(callId, input, fileBefore(nativeName, input, options)));
  // The mode was judged by this input, or a person saw it, so no extension may change it after that. A rule does not depend on it.
  return { decision: "allow", input, fixed: unasked === true || optionId !== undefined };
}

const questionId = "answer";

function questionOf(body: JsonObject): Question {
  const title = text(body["title"]) ?? "An extension of pi asks a question.";
  const message = text(body["message"]);
  const asked = { id: questionId, text: message === undefined ? title : `${title}\n${message}`, multiple: false };
  switch (body["method"]) {
    case "select":
      return { ...asked, options: texts(body["options"]).map((label) => ({ label })) };
    case "confirm":
      return { ...asked, options: [{ label: "Yes" }, { label: "No" }] };
    default:
      return { ...asked, options: [], free: true };
  }
}

/** Undefined for a dialog that is closed without an answer. */
function dialogAnswer(body: JsonObject, answer: FinalAnswer): object | undefined {
  const value = answer.decision === "answer" ? [answer.answers[questionId] ?? []].flat()[0] : undefined;
  if (value === undefined) return undefined;
  return body["method"] === "confirm" ? { confirmed: value === "Yes" } : { value };
}
