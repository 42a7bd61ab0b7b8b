/** Answers a permission request by key. */
import { answerPressed, editableInput, editedInput, whyItAsks } from "../../view/answer-keys.ts";
import { oneLine } from "../../events/printable.ts";
import type { PermissionItem } from "../../view/model.ts";
import { emptyEditor, isEmpty, setText } from "../editor/index.ts";
import type { Key } from "../key.ts";
import type { App } from "./app.ts";
import { picker, textField } from "./overlay.ts";
import type { SessionView } from "./session-view.ts";

/** Returns whether the key answered. A letter answers while the prompt is empty; with Alt it always answers. */
export function answerKey(app: App, request: PermissionItem, key: Key): boolean {
  const view = app.sessions.active;
  const pressed = {
    key: key.alt ? key.name : (key.text ?? ""),
    alt: key.alt,
    ctrl: key.ctrl,
    promptEmpty: isEmpty(view.editor),
  };
  const answer = answerPressed(pressed, request, app.capabilities());
  if (answer === undefined) return false;
  const reply = (given: Parameters<SessionView["answer"]>[1]): void => app.answer(view, request.requestId, given);
  switch (answer.action) {
    case "once":
    case "session":
      reply({ decision: "allow", ...(answer.option && { optionId: answer.option.id }) });
      break;
    case "deny":
      reply({ decision: "deny", ...(answer.option && { optionId: answer.option.id }) });
      break;
    case "always": {
      const items = answer.options.map(({ id, label, rule }) => ({
        ...{ id, label: oneLine(label) },
        detail: rule === undefined ? undefined : oneLine(rule),
      }));
      app.overlay = picker("Always allow", items, ({ id }) => reply({ decision: "allow", optionId: id }));
      break;
    }
    case "message":
      app.overlay = textField("Deny, and tell the agent", (message) =>
        reply({ decision: "deny", ...(message.trim() !== "" && { message }) }),
      );
      break;
    case "edit":
      editInput(app, request, { text: editableInput(request.input), reply });
      break;
    case "why":
      app.overlay = {
        ...{ kind: "pager", title: "Why it asks", top: 0 },
        lines: [{ text: oneLine(whyItAsks(request)) }, { text: "Close this with Esc before you answer." }],
      };
      break;
  }
  return true;
}

interface Editing {
  readonly text: string;
  readonly problem?: string;
  readonly reply: (answer: Parameters<SessionView["answer"]>[1]) => void;
}

function editInput(app: App, request: PermissionItem, { text, problem, reply }: Editing): void {
  const accept = (changed: string): void => {
    const edited = editedInput(request.input, changed);
    if ("error" in edited) editInput(app, request, { text: changed, problem: edited.error, reply });
    else reply({ decision: "allow", changedInput: edited.input });
  };
  const note = problem ?? "It runs with this input instead. Shift+Enter adds a line.";
  app.overlay = textField("Edit the input", accept, { editor: setText(emptyEditor, text), note });
}
