import { oneLine } from "../events/printable.ts";
import type { PermissionReply, PermissionRequest } from "../core/api.ts";
import type { Person } from "./person.ts";
import { describeRequest } from "./request-text.ts";
import type { Screen } from "./screen.ts";

/** How many lines of a request are shown before somebody asks for the rest. */
const shownLines = 40;

/** Shows what the agent wants and waits for a person's word. Without one, the core's deadline denies it. */
export async function askPermission(
  request: PermissionRequest,
  signal: AbortSignal,
  { person, screen }: { person: Person; screen: Screen },
): Promise<PermissionReply> {
  const [always, further] = request.options.filter((option) => option.kind === "allow_always");
  const lines = describeRequest(request);
  const cut = lines.length > shownLines;
  screen.still();
  if (request.reason !== undefined) screen.line(request.reason);
  for (const line of lines.slice(0, shownLines)) screen.line(line.text, line.style);
  if (cut) screen.line(`… ${lines.length - shownLines} more lines`, "dim");
  screen.line(`y yes · n no (you may add why: n use tabs) · s no, and stop${cut ? " · v view all" : ""}`, "dim");
  // Whoever says always must see what it allows, and for how long.
  if (always !== undefined) screen.line(`a ${oneLine(always.label)}`, "dim");
  if (further !== undefined) screen.line(`f ${oneLine(further.label)}`, "dim");

  const question = request.tool === "plan" ? "Approve this plan?" : `Allow ${oneLine(request.title)}?`;
  for (;;) {
    const answer = await person.ask(`${question} `, signal);
    if (answer === undefined) return "deny";
    if (further !== undefined && answer.trim().toLowerCase() === "f")
      return { decision: "allow", optionId: further.id };
    const reply = parseReply(answer, always !== undefined);
    if (reply !== undefined) return reply;
    if (cut && answer.trim() === "v") for (const line of lines.slice(shownLines)) screen.line(line.text, line.style);
    else
      screen.line(`Please answer y, ${always === undefined ? "" : "a, "}${further === undefined ? "" : "f, "}n or s.`);
  }
}

/** Undefined when it is no answer: an empty line never allows or denies anything. */
export function parseReply(answer: string, always: boolean): PermissionReply | undefined {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(answer) ?? [];
  const message = rest === "" ? undefined : rest.replace(/^[:,]\s*/, "");
  switch (word.toLowerCase().replace(/[:,.!]$/, "")) {
    case "y":
    case "yes":
      return message === undefined ? "allow" : undefined;
    case "a":
    case "always":
      return always && message === undefined ? "always" : undefined;
    case "n":
    case "no":
      return message === undefined ? "deny" : { decision: "deny", message };
    case "s":
    case "stop":
      return message === undefined ? "stop" : { decision: "deny", stop: true, message };
    default:
      return undefined;
  }
}
