/** What it does in its own way over ACP. */
import type { AcpAgentOptions } from "../../protocols/acp/index.ts";
import { record, text } from "../../protocols/json.ts";
import type { OpenOptions } from "../contract.ts";
import { failureOf, isErrorText } from "./failures.ts";
import { sessionMetaOf } from "./launch.ts";
import { signInHelp } from "./program.ts";
import { toolOfCall } from "./tools.ts";

export function quirksWith(options: OpenOptions): AcpAgentOptions {
  return {
    // It begins in the mode of the person's settings, or in the one a session was left in: each start says its own.
    modes: {
      read: { id: "default" },
      plan: { id: "plan" },
      ask: { id: "default" },
      edits: { id: "acceptEdits" },
      full: { id: "default" },
    },
    // An approved plan goes on in the mode of the session, and never in one in which nobody is asked.
    sent: (optionId) => (optionId.startsWith("exit-plan-") ? "exit-plan-default" : optionId),
    aside: (said) => (isErrorText(said) ? { onlyLast: true } : undefined),
    ownWords: (field) => /^(question_\d+)_custom$/.exec(field)?.[1],
    clientCapabilities: { session: { compaction: {} } },
    tool: toolOfCall,
    parent: (update) => text(record(record(update["_meta"])["claudeCode"])["parentToolUseId"]),
    usageEndsMessages: true,
    // The question comes from the program itself, past what it still says.
    announcesCalls: true,
    usage: { counts: "turn" },
    failure: failureOf,
    unlistedModels: true,
    signInHelp,
    ignored: ["_auth/status_update"],
    sessionMeta: sessionMetaOf(options),
  };
}
