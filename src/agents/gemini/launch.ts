/** Options of a session as Gemini CLI's command line and environment. */
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { OpenOptions } from "../contract.ts";
import type { Environment } from "./home.ts";

/** With these the program would ask about less than the mode of the session says, or not speak to Reins at all. */
const unheldArguments: ReadonlySet<string> = new Set([
  "--yolo",
  "-y",
  "--approval-mode",
  "--allowed-tools",
  "--policy",
  "--admin-policy",
  "--skip-trust",
  "--acp",
  "--experimental-acp",
  "--prompt",
  "-p",
  "--prompt-interactive",
  "-i",
  "--output-format",
  "-o",
  "--resume",
  "-r",
  "--session-id",
]);

/** Beside `--acp`; `policy` is a file. */
export function argumentsOf(options: OpenOptions, policy: string): string[] {
  return ["--admin-policy", policy, ...commonArguments(options)];
}

/** What every form of the program takes. */
export function commonArguments(options: OpenOptions): string[] {
  const args: string[] = [];
  if (options.model !== undefined) args.push("--model", value("--model", options.model));
  for (const directory of options.directories ?? []) {
    // It takes several folders, separated by commas, in one argument.
    if (directory.includes(",")) throw refused(`Gemini CLI takes no folder with a comma in its name (${directory}).`);
    args.push("--include-directories", value("--include-directories", directory));
  }
  const further = options.extraArgs ?? [];
  const loose = further.find((argument) => unheldArguments.has(argument.split("=", 1)[0]!));
  if (loose !== undefined) throw refused(`Reins cannot hold Gemini CLI's tools with the argument ${loose}.`);
  return [...args, ...further];
}

function value(flag: string, given: string): string {
  if (given === "" || given.startsWith("-")) throw refused(`"${given}" is no value for Gemini CLI's ${flag}.`);
  return given;
}

function refused(message: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "gemini", help: "Leave it out." });
}

const declaredNames = ["NO_BROWSER", "CODE_ASSIST_ENDPOINT", "CLOUD_SHELL", "SSH_AUTH_SOCK", "SEATBELT_PROFILE"];
const declaredPrefixes = ["GEMINI_", "GOOGLE_", "CLOUDSDK_"];
/** Of an editor or of an outer session around Reins; they would make this session a part of that one. */
const ofAnOuterSession = /^GEMINI_CLI(?:$|_IDE_|_INTEGRATION_TEST$)/;

export function environmentOf(
  parentEnv: Environment,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(parentEnv, { names: declaredNames, prefixes: declaredPrefixes });
  for (const name of Object.keys(env)) if (ofAnOuterSession.test(name)) delete env[name];
  // It would start itself again as a child, for more memory: a second longer, and a process more to end.
  env["GEMINI_CLI_NO_RELAUNCH"] = "true";
  return { ...env, ...extra };
}
