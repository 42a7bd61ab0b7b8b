/** What Cursor sees of the environment. Its key and token come this way alone, never on its command line. */
import { childEnvironment } from "../../process/index.ts";
import { ReinsError } from "../../events/errors.ts";
import { isSafeForKeys } from "../shared/safe-address.ts";
import { variableOf } from "../variable.ts";
import { program } from "./program.ts";

/** In the order in which it is shown what a person is signed in with. */
export const keyVariables: readonly string[] = ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"];

/** By name: a Cursor that Reins runs inside hands its tools further CURSOR_ variables, of a session that is not this one. */
const declared = [
  ...keyVariables,
  "CURSOR_API_ENDPOINT",
  "CURSOR_CONFIG_DIR",
  "AGENT_CLI_CREDENTIAL_STORE",
  "NODE_USE_ENV_PROXY",
  "SSH_AUTH_SOCK",
];

/** It never opens a browser by itself: a person signs in with `reins login`. */
export function environmentOf(
  parentEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const endpoint = endpointIn(parentEnv);
  const set = { NO_OPEN_BROWSER: "1", ...(endpoint !== "" && { CURSOR_API_ENDPOINT: endpoint }) };
  return { ...childEnvironment(parentEnv, { names: declared, set }), ...extra };
}

/** What is given is not said again: it may have a password in it. */
function endpointIn(env: Readonly<Record<string, string | undefined>>): string {
  const variable = variableOf(program.id, "ENDPOINT");
  const given = env[variable]?.trim() ?? "";
  const url = URL.parse(given);
  if (given === "" || (url !== null && isSafeForKeys(url))) return given;
  throw new ReinsError("invalid_input", `${variable} is no https address, nor one of this machine.`, {
    agent: program.id,
    help: "The key goes there. Set it to an address such as https://api2.cursor.sh, or leave it out.",
  });
}
