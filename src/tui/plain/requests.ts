/** Permissions and questions in plain mode: numbered choices, answered by number, by key or by word. */
import type { Reins, Session } from "../../core/api.ts";
import { oneLine, printable } from "../../events/printable.ts";
import type { EventOf } from "../../events/types.ts";
import { answersTo, editableInput, whyItAsks, type Answer } from "../../view/answer-keys.ts";
import { inputParts } from "../../view/input-parts.ts";
import type { LineInput } from "./line-input.ts";

export interface Asking {
  readonly say: (text: string) => void;
  readonly input: LineInput;
  readonly reins: Pick<Reins, "agent">;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly asksMessage: boolean;
  readonly reply: Parameters<Session["answer"]>[1];
}

/** Words that people type instead of a key. */
const words: Readonly<Record<string, string>> = {
  ...{ yes: "y", allow: "y", once: "y", session: "s", always: "a", no: "n", deny: "n", message: "m" },
};

/** The choice that a person means: by its number, or by a key or word that no other choice has. */
export function choiceMeant<One extends { readonly key: string }>(
  typed: string,
  choices: readonly One[],
): One | undefined {
  const word = typed.trim().toLowerCase();
  if (/^\d+$/.test(word)) return choices[Number(word) - 1];
  const [named, another] = choices.filter(({ key }) => key === (words[word] ?? word));
  return another === undefined ? named : undefined;
}

export async function askPermission(
  { say, input, reins }: Asking,
  session: Session,
  request: EventOf<"permission.requested">,
): Promise<void> {
  const known = await reins.agent(session.agent).catch(() => undefined);
  const answers = answersTo(request, known?.capabilities).filter(({ action }) => action !== "why" && action !== "edit");
  const choices = answers.flatMap((answer) => choicesOf(answer));
  const hasKey = ({ key }: Choice): boolean => choiceMeant(key, choices) !== undefined;
  const keys = choices.filter(hasKey).map(({ key }) => key);
  say(`Approval needed: ${oneLine(request.title)}`);
  if (request.mcp !== undefined) say(`MCP server ${oneLine(request.mcp.server)}, tool ${oneLine(request.mcp.tool)}`);
  const { subject, rest } = inputParts(request);
  say(printable(subject === "diff" ? request.diff! : editableInput(request.input)).trimEnd());
  // The plan is shown as JSON, with all fields.
  if (subject !== "plan" && Object.keys(rest).length > 0)
    say(`Other fields of the input: ${printable(JSON.stringify(rest, undefined, 2))}`);
  for (const [at, choice] of choices.entries())
    say(`${at + 1}. ${choice.label}${hasKey(choice) ? ` (${choice.key})` : ""}`);
  for (;;) {
    say(`Type a number or a letter (${keys.join(", ")}), or ? for the reason, and press Enter.`);
    const typed = await input.answer((line) => choiceMeant(line, choices) !== undefined);
    if (typed === undefined) return session.answer(request.requestId, "deny");
    if (typed.trim() === "?") {
      say(oneLine(whyItAsks(request)));
      continue;
    }
    const choice = choiceMeant(typed, choices);
    if (choice === undefined) continue;
    if (!choice.asksMessage) return session.answer(request.requestId, choice.reply);
    say("Tell the agent why, and press Enter.");
    const message = (await input.next()) ?? "";
    return session.answer(request.requestId, { decision: "deny", message });
  }
}

export async function askQuestion(
  { say, input }: Asking,
  session: Session,
  request: EventOf<"question.requested">,
): Promise<void> {
  const answers: Record<string, string | readonly string[]> = {};
  for (const question of request.questions) {
    say(`Question: ${oneLine(question.text)}`);
    for (const [at, { label, description }] of question.options.entries())
      say(`${at + 1}. ${oneLine(label)}${description === undefined ? "" : `: ${oneLine(description)}`}`);
    say(question.multiple ? "Type numbers separated by commas." : "Type a number, or your own answer.");
    const typed = await input.next();
    if (typed === undefined) return session.answer(request.requestId, "skip");
    const chosen = typed.split(",").map((word) => question.options[Number(word.trim()) - 1]?.label ?? word.trim());
    answers[question.id] = question.multiple ? chosen : (chosen[0] ?? "");
  }
  session.answer(request.requestId, { decision: "answer", answers });
}

const deciders: Readonly<Record<EventOf<"permission.resolved">["by"], string>> = {
  person: "by you",
  policy: "by a rule",
  deadline: "because nobody answered in time",
  agent: "by the agent",
  cancel: "because the turn was stopped",
  recovery: "because Reins was started again",
};

/** What became of a request: `Allowed by you.` */
export function resolvedWords(event: EventOf<"permission.resolved"> | EventOf<"question.resolved">): string {
  const { outcome, by } = event;
  const said =
    event.type === "permission.resolved" ? [event.message ?? event.rule ?? ""] : Object.values(event.answers ?? {});
  const words = said
    .flat()
    .map(oneLine)
    .filter((word) => word !== "")
    .join(", ");
  const head = `${outcome[0]!.toUpperCase()}${outcome.slice(1)} ${deciders[by]}`;
  return words === "" ? `${head}.` : `${head}: ${words}`;
}

function choicesOf(answer: Answer): readonly Choice[] {
  const { key } = answer;
  const choice = (label: string, decision: "allow" | "deny", optionId: string | undefined): Choice => ({
    ...{ key, label: oneLine(label), asksMessage: false },
    reply: { decision, ...(optionId !== undefined && { optionId }) },
  });
  switch (answer.action) {
    case "once":
      return [choice(answer.label, "allow", answer.option?.id)];
    case "session":
      return [choice(answer.label, "allow", answer.option.id)];
    case "deny":
      return [choice(answer.label, "deny", answer.option?.id)];
    case "always":
      return answer.options.map(({ id, label }) => choice(label, "allow", id));
    case "message":
      return [{ key, label: answer.label, asksMessage: true, reply: "deny" }];
    default:
      return [];
  }
}
