/** The command line of `agent acp`. All its options stand before the command, which has none. */
import type { AgentContext, OpenOptions } from "../../contract.ts";
import { sharedArguments } from "../options.ts";

export function acpArguments(
  { env }: Pick<AgentContext, "env">,
  options: Pick<OpenOptions, "model" | "directories" | "extraArgs">,
  more: readonly string[] = [],
): string[] {
  const { model } = options;
  return [...(model === undefined ? [] : ["--model", model]), ...sharedArguments(env, options), ...more, "acp"];
}
