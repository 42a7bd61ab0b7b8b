import type { AcpAgentOptions } from "../../protocols/acp/index.ts";
import { record, text } from "../../protocols/json.ts";
import type { OpenOptions } from "../contract.ts";
import { failureOf, isErrorText } from "./failures.ts";
import { sessionMetaOf } from "./launch.ts";
import { signInHelp } from "./program.ts";
import { toolOfCall } from "./tools.ts";

export function quirksWith(options: OpenOptions): AcpAgentOptions {
  return {
    // The adapter begins in the mode of the user's settings or of the resumed session, so each start sets one.
    modes: {
      read: { id: "default" },
      plan: { id: "plan" },
      ask: { id: "default" },
      edits: { id: "acceptEdits" },
      full: { id: "default" },
    },
    // An approved plan continues in the mode of the session, never in one that does not ask.
    sent: (optionId) => (optionId.startsWith("exit-plan-") ? "exit-plan-default" : optionId),
    aside: (said) => (isErrorText(said) ? { onlyLast: true } : undefined),
    ownWords: (field) => /^(question_\d+)_custom$/.exec(field)?.[1],
    clientCapabilities: { session: { compaction: {} } },
    tool: toolOfCall,
    parent: (update) => text(record(record(update["_meta"])["claudeCode"])["parentToolUseId"]),
    usageEndsMessages: true,
    // Permissions come from the program itself and arrive before the text.
    announcesCalls: true,
    usage: { counts: "turn" },
    failure: failureOf,
    unlistedModels: true,
    signInHelp,
    ignored: ["_auth/status_update"],
    sessionMeta: sessionMetaOf(options),
  };
}
