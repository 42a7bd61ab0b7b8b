/**
 * Parts of requests that several agents share: options, questions, and proposed edits in the format of Claude Code and
 * agents derived from it.
 */
import { resolve } from "node:path";
import type { Tool } from "../../events/tools.ts";
import type { Question } from "../../events/types.ts";
import { list, record, text, type JsonObject } from "../../protocols/json.ts";
import type { NativeOption, ParsedRequest } from "../../protocols/requests.ts";
import { diffWith, fileAt, replaced } from "./file-before.ts";
import { filePath, type ToolCall } from "./tool-call.ts";

export const questionsOf = (input: JsonObject): Question[] =>
  questionsIn(input["questions"], ({ multiSelect }) => ({ multiple: multiSelect === true, free: true }));

export function questionsIn(
  asked: unknown,
  answers: (question: JsonObject) => Pick<Question, "multiple" | "free">,
): Question[] {
  return list(asked).map((item, index) => {
    const question = record(item);
    return {
      id: `q${index + 1}`,
      text: text(question["question"]) ?? "",
      header: text(question["header"]),
      options: list(question["options"]).map((choice) => {
        const { label, description } = record(choice);
        return { label: text(label) ?? "", description: text(description) };
      }),
      ...answers(question),
    };
  });
}

/** The input with the answers, each under the key of its question. Several choices become one text. */
export function answeredInput(
  input: JsonObject,
  questions: readonly Question[],
  answers: Readonly<Record<string, string | readonly string[]>>,
  keyOf: (question: Question, place: number) => string,
): JsonObject {
  const byKey: Record<string, string> = {};
  for (const [place, question] of questions.entries()) {
    const answer = answers[question.id];
    if (answer !== undefined) byKey[keyOf(question, place)] = typeof answer === "string" ? answer : answer.join(", ");
  }
  return { ...input, answers: byKey };
}

/**
 * The diff that an edit would make, shown to the person who is asked. Undefined when there is nothing to show: another
 * tool, a file that is too large, or an edit that does not fit the file.
 */
export function proposedDiff(tool: Tool, input: JsonObject, cwd: string): string | undefined {
  const path = filePath(input);
  if (path === undefined || (tool !== "write" && tool !== "edit")) return undefined;
  const before = fileAt(resolve(cwd, path));
  const { content, old_string: from, new_string: to, replace_all: all } = input;
  const after = tool === "write" ? content : replaced(before.text ?? "", from, to, all === true);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}

/** Options to allow and deny once, with `further` between them. */
export function optionsAround<Choice>(further: readonly NativeOption<Choice>[]): NativeOption<Choice>[] {
  return [
    { option: { id: "allow", kind: "allow_once", label: "Allow", scope: "once" } },
    ...further,
    { option: { id: "deny", kind: "reject_once", label: "Deny", scope: "once" } },
    { option: { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" }, stop: true },
  ];
}

export interface AskedCall {
  readonly id: string;
  readonly callId: string;
  readonly input: JsonObject;
  readonly parent: string | undefined;
  readonly reason?: string | undefined;
}

export function requestFor<Choice>(
  { id, callId, input, parent, reason }: AskedCall,
  { kind: _kind, ...call }: ToolCall,
  options: readonly NativeOption<Choice>[],
  cwd: string,
): ParsedRequest<Choice> {
  if (call.tool === "question")
    return { id, kind: "question", questions: questionsOf(input), call: { callId, parent } };
  const diff = proposedDiff(call.tool, input, cwd);
  return { id, kind: "permission", call: { callId, ...call, input, reason, diff, parent }, options };
}
