/** What Cursor does in its own way over ACP. */
import type { AcpFailure, AcpMethod, AcpQuirks } from "../../../drivers/acp/index.ts";
import { record, text } from "../../../drivers/acp/read.ts";
import { exitError, toldError } from "../errors.ts";
import { signInHelp } from "../program.ts";
import { isEdit } from "./acp-edits.ts";
import type { EditLeave } from "./acp-edits.ts";
import { modelId, modelsListed } from "./acp-models.ts";
import { plainDiffs, undone } from "./acp-outcomes.ts";
import { askQuestion, createPlan } from "./acp-questions.ts";
import { generateImage, task } from "./acp-reports.ts";
import { updateTodos } from "./acp-todos.ts";
import { isUnready, sameCall, toolOfCall } from "./acp-tools.ts";

/** It has three: in its `agent` mode it asks, and what is answered is for Reins to say. */
const agent = { id: "agent" };
const modes: AcpQuirks["modes"] = {
  read: { id: "ask" },
  plan: { id: "plan" },
  ask: agent,
  edits: agent,
  full: agent,
};

export interface QuirkOptions {
  /** Whether it could sign in with what is there, without a person. */
  readonly signedIn?: () => Promise<boolean>;
  /** A person was asked about this call before Cursor asks, and allowed it. */
  readonly approved?: (callId: string) => boolean;
  readonly leave?: EditLeave;
}

/** For one session. */
export function quirksWith({ signedIn, approved, leave = { mode: undefined } }: QuirkOptions = {}): AcpQuirks {
  return {
    modes,
    tool: toolOfCall,
    unready: isUnready,
    sameCall,
    content: plainDiffs,
    undone,
    verdict: ({ callId, tool }, mode) =>
      (callId !== undefined && approved?.(callId) === true) || (isEdit(tool) && mode === leave.mode)
        ? "allow"
        : undefined,
    // Its own would be written into the person's settings, for this one file.
    sent: (optionId, { tool }, mode) => {
      if (optionId !== "allow-always" || !isEdit(tool)) return optionId;
      leave.mode = mode;
      return "allow-once";
    },
    // It reports what was rejected as completed.
    silentDenials: true,
    model: modelId,
    listModels: { method: "cursor/list_available_models", read: modelsListed },
    methods: ownMethods(),
    failure: ({ message, data }) =>
      failureOf(text(data) ?? text(record(data)["message"]) ?? text(record(data)["details"]) ?? message),
    gone: (exit, stderrTail) => exitError(exit, stderrTail, false),
    authMethod: async (methods) => {
      const known = methods.some(({ id }) => id === loginMethod);
      return known && (await signedIn?.()) === true ? loginMethod : undefined;
    },
    signInHelp,
  };
}

/** In some versions their names begin with an underscore, as ACP wants it of such methods. */
function ownMethods(): Readonly<Record<string, AcpMethod>> {
  const methods: Readonly<Record<string, AcpMethod>> = {
    ask_question: askQuestion,
    create_plan: createPlan,
    update_todos: updateTodos(),
    task,
    generate_image: generateImage,
  };
  return Object.fromEntries(
    Object.entries(methods).flatMap(([name, method]) =>
      [`cursor/${name}`, `_cursor/${name}`].map((full) => [full, method]),
    ),
  );
}

/** It takes the key or the account that is there. */
const loginMethod = "cursor_login";

/** Nothing where its words do not tell. */
function failureOf(said: string): AcpFailure | undefined {
  const { code, message, help, resetsAt } = toldError(said);
  return code === "internal" ? undefined : { code, message, help, resetsAt };
}
