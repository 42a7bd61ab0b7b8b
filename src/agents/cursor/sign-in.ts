/** Who is signed in: by the names of variables, else as `agent status` tells. */
import { record, text } from "../../drivers/shared/read.ts";
import type { SignIn } from "../shared/program.ts";
import { keyVariables } from "./environment.ts";
import { parsed } from "./output.ts";
import { signInHelp } from "./program.ts";

export function keyOf(env: Readonly<Record<string, string | undefined>>): SignIn | undefined {
  const variable = keyVariables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const what = variable === "CURSOR_API_KEY" ? "API key" : "token";
  return { signedIn: "yes", signedInHow: `${what} (${variable})` };
}

/** `status --format json`; versions that do not know the format say it in a sentence. */
export function signInIn(stdout: string): SignIn {
  const status = record(parsed(stdout));
  const signedIn = status["isAuthenticated"] ?? saidIn(stdout);
  if (typeof signedIn !== "boolean") return { signedIn: "unknown" };
  if (!signedIn) return { signedIn: "no", help: signInHelp };
  const email = text(record(status["userInfo"])["email"]) ?? /Logged in as (\S+@\S+)/.exec(stdout)?.[1];
  return { signedIn: "yes", signedInHow: email === undefined ? "account" : `account ${email}` };
}

function saidIn(stdout: string): boolean | undefined {
  if (/\bnot logged in\b/i.test(stdout)) return false;
  return /\blogged in\b/i.test(stdout) ? true : undefined;
}
