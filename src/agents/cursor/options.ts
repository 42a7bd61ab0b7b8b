/**
 * Options of Cursor that no other agent has, by REINS_CURSOR_* variables: they are a person's own word, as no file of a project can set
 * one. What a session itself asks for (model, mode, folders, resuming) is not here.
 */
import { ReinsError } from "../../events/errors.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { variableOf } from "../variable.ts";
import { program } from "./program.ts";
import { checkedExtras } from "./extra-arguments.ts";

type Environment = AgentContext["env"];

/** Arguments before the command, for both channels: further folders, the person's options, and what else the caller hands over. */
export function sharedArguments(env: Environment, { directories = [], extraArgs = [] }: LaunchedOptions): string[] {
  return [
    ...directories.flatMap((directory) => ["--add-dir", directory]),
    ...sandbox(env),
    ...worktree(env),
    ...headers(env),
    ...(isOn(env, "APPROVE_MCPS") ? ["--approve-mcps"] : []),
    ...(isOn(env, "BROWSER") ? ["--browser"] : []),
    ...(isOn(env, "TRUST") ? ["--trust"] : []),
    ...checkedExtras(extraArgs),
  ];
}

type LaunchedOptions = Pick<OpenOptions, "directories" | "extraArgs">;

/** `1` is yes; `0` and nothing are no. */
export function isOn(env: Environment, what: string): boolean {
  const given = valueOf(env, what);
  if (given === undefined || given === "0") return false;
  if (given === "1") return true;
  throw wrong(what, given, "Set it to 1, or leave it out.");
}

function sandbox(env: Environment): string[] {
  const given = valueOf(env, "SANDBOX");
  if (given === undefined) return [];
  if (given === "enabled" || given === "disabled") return ["--sandbox", given];
  throw wrong("SANDBOX", given, "Set it to enabled or disabled, or leave it out.");
}

/** It works in a worktree of its own, and not in the folder of the session. */
export function isElsewhere(env: Environment): boolean {
  return worktree(env).length > 0;
}

/** `1` lets it find a name. */
function worktree(env: Environment): string[] {
  const [name = "0", base] = [valueOf(env, "WORKTREE"), valueOf(env, "WORKTREE_BASE")];
  if (name.startsWith("-")) throw wrong("WORKTREE", name, "Name a worktree, or set it to 1.");
  if (base?.startsWith("-") === true) throw wrong("WORKTREE_BASE", base, "Name a branch.");
  const setUp = isOn(env, "SKIP_WORKTREE_SETUP") ? ["--skip-worktree-setup"] : [];
  if (name === "0" && base === undefined) return [];
  if (name === "0") throw wrong("WORKTREE_BASE", base!, `Set ${variableOf(program.id, "WORKTREE")} too.`);
  return [
    // With a `=`: a name that stands alone could be taken for the prompt.
    name === "1" ? "--worktree" : `--worktree=${name}`,
    ...(base === undefined ? [] : ["--worktree-base", base]),
    ...setUp,
  ];
}

/** Everybody on the machine can read a command line, so what opens doors does not go there. */
const secret = /auth|cookie|token|secret|passw|key|credential|session|signature|jwt/i;
const secretValue = /^\s*(?:bearer|basic|token)\s/i;

/** A JSON object of names and values. */
function headers(env: Environment): string[] {
  const given = valueOf(env, "HEADERS");
  if (given === undefined) return [];
  const help = 'Set it to an object such as {"X-Team":"blue"}.';
  // What is given may be a secret that lacks a bracket: it is not said again.
  const all = Object.entries(objectOf(given) ?? fail("HEADERS", "no JSON object", help));
  return all.flatMap(([name, value]) => {
    if (typeof value !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n]/.test(value))
      throw wrong("HEADERS", name, help);
    if (secret.test(name) || secretValue.test(value))
      throw new ReinsError(
        "invalid_input",
        `The header ${name} would stand on a command line, where others can read it.`,
        {
          agent: program.id,
          help: "Leave it out; Cursor takes its key from CURSOR_API_KEY.",
        },
      );
    return ["--header", `${name}: ${value}`];
  });
}

function objectOf(json: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

export function valueOf(env: Environment, what: string): string | undefined {
  const given = env[variableOf(program.id, what)]?.trim() ?? "";
  return given === "" ? undefined : given;
}

function wrong(what: string, given: string, help: string): ReinsError {
  const message = `${variableOf(program.id, what)} makes no sense: ${JSON.stringify(given)}.`;
  return new ReinsError("invalid_input", message, { agent: program.id, help });
}

function fail(what: string, given: string, help: string): never {
  throw wrong(what, given, help);
}
