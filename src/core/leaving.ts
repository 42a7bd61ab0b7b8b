/** What an agent that works elsewhere is given of an agent file: such a file is written for any agent, and its secrets for this machine. */
import type { Agent } from "../agents/contract.ts";
import { hasSecretName } from "../events/redact/values.ts";
import type { SessionOptions } from "./api.ts";
import type { AskedFor } from "./asked-for.ts";

/** What the call itself names is given: whoever calls knows where it goes. */
export function withoutSecrets(called: SessionOptions, asked: AskedFor, { name, capabilities }: Agent): AskedFor {
  const { env = {} } = asked.options;
  const stays = (variable: string): boolean => hasSecretName(variable) && called.env?.[variable] === undefined;
  const kept = Object.keys(env).filter(stays);
  if (capabilities.elsewhere !== true || kept.length === 0) return asked;
  const remark = `${name} works elsewhere and is not given ${kept.join(", ")} of the agent file; name it in the call if it is to go there.`;
  return {
    ...asked,
    options: {
      ...asked.options,
      env: Object.fromEntries(Object.entries(env).filter(([variable]) => !stays(variable))),
    },
    remarks: [...asked.remarks, remark],
  };
}
