/** Secrets that an agent that works elsewhere is not given: those of an agent file, and those that were named for the agent before it. */
import type { Agent } from "../agents/contract.ts";
import { hasSecretName } from "../events/redact/values.ts";
import type { SessionOptions } from "./api.ts";

interface Given {
  readonly options: SessionOptions;
  readonly remarks: readonly string[];
}

/** What the call itself names is given: whoever calls knows where it goes. */
export function withoutSecrets(
  called: SessionOptions,
  options: SessionOptions,
  { name, capabilities }: Pick<Agent, "name" | "capabilities">,
): Given {
  const given = Object.entries(options.env ?? {});
  const stays = (variable: string): boolean => hasSecretName(variable) && called.env?.[variable] === undefined;
  const kept = given.flatMap(([variable]) => (stays(variable) ? [variable] : []));
  if (capabilities.elsewhere !== true || kept.length === 0) return { options, remarks: [] };
  return {
    options: { ...options, env: Object.fromEntries(given.filter(([variable]) => !stays(variable))) },
    remarks: [`${name} works elsewhere and is not given ${kept.join(", ")}: no call names it for ${name}.`],
  };
}
