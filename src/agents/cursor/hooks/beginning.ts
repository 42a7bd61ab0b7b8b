/** What a conversation begins with: Cursor has no option for a system prompt, and takes further context from a hook. */
import { secretValues } from "../../../events/redact/values.ts";
import type { OpenOptions } from "../../contract.ts";
import type { HookOutput } from "./schemas.ts";

export function beginningOf({
  systemPrompt,
  env = {},
}: Pick<OpenOptions, "systemPrompt" | "env">): HookOutput<"sessionStart"> {
  // The process has them all. Hooks get them said once more, in words that may be logged: there secrets stay out.
  const plain = Object.entries(env).filter(([name, value]) => secretValues({ [name]: value }).length === 0);
  return {
    ...(plain.length === 0 ? {} : { env: Object.fromEntries(plain) }),
    ...(systemPrompt?.how === "append" ? { additional_context: systemPrompt.text } : {}),
  };
}
