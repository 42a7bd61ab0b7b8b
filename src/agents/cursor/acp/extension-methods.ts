/** Cursor's own ACP methods: questions, plans, to-do lists, and work that it reports. */
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { PermissionOption, Question } from "../../../events/types.ts";
import type { AcpMethod, ExtensionCall } from "../../../protocols/acp/index.ts";
import { number, record, records, text, type JsonObject } from "../../../protocols/json.ts";

type Answer = Parameters<Extract<ExtensionCall, { says: "question" }>["answered"]>[0];

const outcome = (kind: string, more: JsonObject = {}): JsonObject => ({ outcome: { outcome: kind, ...more } });
const because = (kind: string, reason: string | undefined): JsonObject =>
  outcome(kind, reason === undefined ? {} : { reason });

const cancelled = outcome("cancelled");

/** Handles `cursor/ask_question`. */
export const askQuestion: AcpMethod = (params) => {
  const asked = records(params["questions"]).filter((question) => text(question["prompt"]) !== undefined);
  if (asked.length === 0) return undefined;
  const header = text(params["title"]);
  return {
    says: "question",
    callId: text(params["toolCallId"]),
    questions: asked.map((question, index): Question => {
      const options = optionsOf(question).map(({ label }) => ({ label }));
      const multiple = question["allowMultiple"] === true;
      const words = text(question["prompt"]) ?? "";
      return { id: idOf(question, index), text: words, header, options, multiple, free: options.length === 0 };
    }),
    answered: (answer) => answersTo(asked, answer),
    cancelled,
  };
};

/** Free text cannot be sent as an answer, so it goes as the reason why the question was skipped. */
function answersTo(questions: readonly JsonObject[], { decision, answers = {}, message }: Answer): JsonObject {
  if (decision !== "answer") return because("skipped", message);
  const own: string[] = [];
  const chosen = questions.map((question, index) => {
    const questionId = idOf(question, index);
    const picked = [answers[questionId] ?? []].flat().flatMap((label) => {
      const option = optionsOf(question).find((one) => one.label === label || one.id === label);
      if (option === undefined) own.push(label);
      return option === undefined ? [] : [option.id];
    });
    return { questionId, selectedOptionIds: question["allowMultiple"] === true ? picked : picked.slice(0, 1) };
  });
  if (chosen.every(({ selectedOptionIds }) => selectedOptionIds.length === 0))
    return because("skipped", own.length === 0 ? message : own.join("\n"));
  return outcome("answered", { answers: chosen });
}

function idOf(question: JsonObject, index: number): string {
  return text(question["id"]) ?? `question_${index + 1}`;
}

function optionsOf(question: JsonObject): { id: string; label: string }[] {
  return records(question["options"]).flatMap((option) => {
    const id = text(option["id"]) ?? text(option["label"]);
    return id === undefined ? [] : [{ id, label: text(option["label"]) ?? id }];
  });
}

const planOptions: readonly PermissionOption[] = [
  { id: "accept", kind: "allow_once", label: "Approve the plan", scope: "once" },
  { id: "reject", kind: "reject_once", label: "Reject the plan", scope: "once" },
];

/** Handles `cursor/create_plan`. */
export const createPlan: AcpMethod = (params) => {
  const plan = text(params["plan"]) ?? text(params["overview"]);
  if (plan === undefined) return undefined;
  const inPhases = records(params["phases"]).flatMap((phase) => records(phase["todos"]));
  const entries = entriesOf([...records(params["todos"]), ...inPhases]);
  return {
    says: "permission",
    call: {
      toolCallId: text(params["toolCallId"]) ?? "create_plan",
      name: "create_plan",
      rawInput: { plan, name: text(params["name"]), overview: text(params["overview"]) },
    },
    options: planOptions,
    updates: entries.length === 0 ? [] : [{ sessionUpdate: "plan", entries }],
    answered: ({ decision, changedInput, message }) =>
      decision === "allow" && changedInput === undefined ? outcome("accepted") : because("rejected", message),
    cancelled,
  };
};

/** Handles `cursor/update_todos` of one session. With `merge` only changed entries come, so the list is kept here. */
export function updateTodos(): AcpMethod {
  const todos = new Map<string, JsonObject>();
  return (params) => {
    if (!Array.isArray(params["todos"])) return undefined;
    if (params["merge"] !== true) todos.clear();
    for (const [index, todo] of records(params["todos"]).entries()) {
      const id = text(todo["id"]) ?? `${index}`;
      todos.set(id, { ...todos.get(id), ...todo });
    }
    const all = [...todos.values()];
    return {
      says: "updates",
      updates: [{ sessionUpdate: "plan", entries: entriesOf(all) }],
      answer: outcome("accepted", { todos: all }),
    };
  };
}

function entriesOf(todos: readonly JsonObject[]): JsonObject[] {
  return todos.flatMap(({ content, status }) =>
    text(content) === undefined || status === "cancelled" ? [] : [{ content, status }],
  );
}

/** Handles work that Cursor reports with a method of its own. When ACP reports the call too, this method also reports its end. */
function reported(
  name: string,
  read: (params: JsonObject) => JsonObject & { readonly done: boolean; readonly answer: JsonObject },
): AcpMethod {
  return (params, knows) => {
    const toolCallId = text(params["toolCallId"]);
    if (toolCallId === undefined) return undefined;
    const { done, answer, ...about } = read(params);
    const status = knows(toolCallId) ? {} : { status: done ? "completed" : "in_progress" };
    const call = { sessionUpdate: "tool_call_update", toolCallId, name, title: text(params["description"]) };
    return { says: "updates", updates: [{ ...call, ...about, ...status }], answer };
  };
}

/** Handles `cursor/task`. */
export const task = reported("task", ({ description, prompt, model, agentId, durationMs, subagentType: type }) => {
  const custom = record(type)["custom"];
  const subagentType = text(type) ?? text(custom) ?? text(record(custom)["name"]);
  return {
    rawInput: { description, prompt, subagentType, model, agentId },
    done: number(durationMs) !== undefined,
    answer: outcome("completed", { agentId, durationMs }),
  };
});

/** Handles `cursor/generate_image`: Reins only records an image that was made. */
export const generateImage = reported("generate_image", ({ description, referenceImagePaths, filePath }) => {
  const path = text(filePath);
  const rawInput = { description, path, referenceImagePaths };
  if (path === undefined) return { rawInput, done: false, answer: because("rejected", "Reins makes no images.") };
  const uri = isAbsolute(path) ? pathToFileURL(path).href : path;
  const content = [{ type: "content", content: { type: "resource_link", uri, name: path } }];
  return { rawInput, content, done: true, answer: outcome("generated", { filePath: path }) };
});
