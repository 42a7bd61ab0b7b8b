/** The command lines of both channels. Only the user can set REINS_CURSOR_* variables: no file of a project can. */
import type { Mode } from "../../events/modes.ts";
import { isRecord, parseJson } from "../../protocols/json.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { variableOf } from "../variable.ts";
import { checkedExtras } from "./extra-arguments.ts";
import { cursorError, program } from "./program.ts";

type Environment = AgentContext["env"];
type LaunchedOptions = Pick<OpenOptions, "directories" | "extraArgs">;

/** Over ACP Cursor asks Reins before actions; print mode (`-p`, one process per prompt) asks nobody. */
export type Channel = "acp" | "print";

export function channelIn(env: Environment): Channel {
  return choiceIn(env, "CHANNEL", ["acp", "print"]) ?? "acp";
}

/** All options of `agent acp` come before the command. */
export function acpArguments(
  { env }: Pick<AgentContext, "env">,
  options: LaunchedOptions & Pick<OpenOptions, "model">,
  more: readonly string[] = [],
): string[] {
  const { model } = options;
  return [...(model === undefined ? [] : ["--model", model]), ...sharedArguments(env, options), ...more, "acp"];
}

/** Print modes by Cursor's names: only modes in which nobody would have to be asked. */
export const printModes: Partial<Record<Mode, string>> = { read: "ask", plan: "plan", full: "agent, force" };

interface PrintTurn {
  readonly mode: Mode;
  readonly model?: string | undefined;
  readonly chatId?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly more?: readonly string[] | undefined;
}

export function printArguments(
  env: Environment,
  options: LaunchedOptions & Pick<OpenOptions, "cwd">,
  { mode, model, chatId, images = [], more = [] }: PrintTurn,
): string[] {
  const latest = chatId === undefined && isOn(env, "CONTINUE");
  return [
    ...["--print", "--output-format", "stream-json", "--stream-partial-output"],
    ...(mode === "full" ? ["--force"] : ["--mode", printModes[mode] ?? "ask"]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(chatId === undefined ? [] : ["--resume", chatId]),
    ...(latest ? ["--continue"] : []),
    // With a worktree Cursor works there, not in the folder of the session.
    ...(worktree(env).length > 0 ? [] : ["--workspace", options.cwd]),
    ...images.flatMap((image) => ["--image", image]),
    ...more,
    ...sharedArguments(env, options),
  ];
}

export function sharedArguments(env: Environment, { directories = [], extraArgs = [] }: LaunchedOptions): string[] {
  const sandbox = choiceIn(env, "SANDBOX", ["enabled", "disabled"]);
  return [
    ...directories.flatMap((directory) => ["--add-dir", directory]),
    ...(sandbox === undefined ? [] : ["--sandbox", sandbox]),
    ...worktree(env),
    ...headers(env),
    ...(isOn(env, "APPROVE_MCPS") ? ["--approve-mcps"] : []),
    ...(isOn(env, "BROWSER") ? ["--browser"] : []),
    ...(isOn(env, "TRUST") ? ["--trust"] : []),
    ...checkedExtras(extraArgs),
  ];
}

export function isOn(env: Environment, what: string): boolean {
  return choiceIn(env, what, ["0", "1"]) === "1";
}

export function choiceIn<const Value extends string>(
  env: Environment,
  what: string,
  values: readonly Value[],
): Value | undefined {
  const given = valueOf(env, what);
  const found = values.find((value) => value === given);
  if (given !== undefined && found === undefined)
    throw wrong(what, given, `Set it to ${values.join(" or ")}, or leave it out.`);
  return found;
}

/** With `1` Cursor chooses the name. */
function worktree(env: Environment): string[] {
  const [name = "0", base] = [valueOf(env, "WORKTREE"), valueOf(env, "WORKTREE_BASE")];
  if (name.startsWith("-")) throw wrong("WORKTREE", name, "Name a worktree, or set it to 1.");
  if (base?.startsWith("-") === true) throw wrong("WORKTREE_BASE", base, "Name a branch.");
  const setUp = isOn(env, "SKIP_WORKTREE_SETUP") ? ["--skip-worktree-setup"] : [];
  if (name === "0" && base === undefined) return [];
  if (name === "0") throw wrong("WORKTREE_BASE", base!, `Set ${variableOf(program.id, "WORKTREE")} too.`);
  // With `=`, because a separate name could be taken for the prompt.
  const named = name === "1" ? "--worktree" : `--worktree=${name}`;
  return [named, ...(base === undefined ? [] : ["--worktree-base", base]), ...setUp];
}

/** Every user of the machine can read a command line, so headers with secrets are refused. */
const secretName = /auth|cookie|token|secret|passw|key|credential|session|signature|jwt/i;
const secretValue = /^\s*(?:bearer|basic|token)\s/i;

function headers(env: Environment): string[] {
  const given = valueOf(env, "HEADERS");
  if (given === undefined) return [];
  const help = 'Set it to an object such as {"X-Team":"blue"}.';
  const all = parseJson(given);
  // The error does not repeat the invalid text, because it may contain a secret.
  if (!isRecord(all)) throw wrong("HEADERS", "not a JSON object", help);
  return Object.entries(all).flatMap(([name, value]) => {
    if (typeof value !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[\r\n]/.test(value))
      throw wrong("HEADERS", name, help);
    const message = `The header ${name} would be on a command line, where other users can read it.`;
    if (secretName.test(name) || secretValue.test(value))
      throw cursorError("invalid_input", message, "Leave it out; Cursor takes its key from CURSOR_API_KEY.");
    return ["--header", `${name}: ${value}`];
  });
}

function valueOf(env: Environment, what: string): string | undefined {
  return env[variableOf(program.id, what)]?.trim() || undefined;
}

function wrong(what: string, given: string, help: string): Error {
  const message = `${variableOf(program.id, what)} has an invalid value: ${JSON.stringify(given)}.`;
  return cursorError("invalid_input", message, help);
}
