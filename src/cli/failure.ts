import { type ErrorInfo, isReinsError } from "../events/errors.ts";
import { type Exit, exitOfError } from "./exit-codes.ts";
import { safeFor } from "./render/text.ts";

interface Failure {
  readonly exit: Exit;
  readonly message: string;
  readonly help?: string | undefined;
}

/** Reports any thrown value in one plain sentence, never with a stack trace, and returns how the command ends. */
export async function reportFailure(thrown: unknown): Promise<Exit> {
  const failure = describe(thrown);
  await writeFailure(failure);
  if (process.env["REINS_DEBUG"] === "1" && thrown instanceof Error) console.error(thrown);
  return failure.exit;
}

/** The same for the error of a turn, which is a result and not thrown. */
export async function reportError(error: ErrorInfo): Promise<void> {
  await writeFailure({ message: error.message, help: helpOf(error) });
}

async function writeFailure({ message, help }: Omit<Failure, "exit">): Promise<void> {
  // A message may repeat typed text that contains a key, so redact it. Loaded here, because most commands do not fail.
  const { createRedactor } = await import("../events/redact.ts");
  const redact = createRedactor(process.env);
  const safe = (text: string): string => safeFor(process.stderr)(redact(text));
  process.stderr.write(`reins: ${safe(message)}\n`);
  if (help !== undefined) process.stderr.write(`${safe(help)}\n`);
}

function describe(thrown: unknown): Failure {
  if (isReinsError(thrown)) return { exit: exitOfError(thrown.code), message: thrown.message, help: helpOf(thrown) };
  if (isUsageError(thrown)) return { exit: "usage", ...usageMessage(thrown.message) };
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    exit: "failed",
    message,
    help: "This is a bug in Reins. Run again with REINS_DEBUG=1 to see where it happened.",
  };
}

function helpOf(error: ErrorInfo): string | undefined {
  const until = error.resetsAt === undefined ? undefined : `Try again after ${error.resetsAt}.`;
  return [until, error.help].filter((part) => part !== undefined).join(" ") || undefined;
}

/** Recognised by its code, so that this file does not load commander. */
function isUsageError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("commander.");
}

/**
 * Commander says "error: unknown option '--jsn'
 * (Did you mean --json?)".
 */
function usageMessage(raw: string): { message: string; help: string } {
  const [first = "", ...rest] = raw.replace(/^error: /, "").split("\n");
  // Commander takes an unknown subcommand as an argument of the default subcommand.
  const unknown = /^too many arguments for 'list'\. Expected 0 arguments but got \d+: (.*)\.$/.exec(first)?.[1];
  if (unknown !== undefined) return { message: `There is no subcommand ${unknown}.`, help: usageHelp("unknown") };
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`;
  const suggestion = rest.join(" ").replace(/^\((.*)\)$/, "$1");
  return { message: suggestion === "" ? message : `${message} ${suggestion}`, help: usageHelp(first) };
}

function usageHelp(message: string): string {
  const see = "See `reins help`, and `reins help <command>`.";
  if (message.startsWith("unknown option")) return `${see} A prompt that starts with a dash goes after \`--\`.`;
  return message.startsWith("unknown command") ? `${see} A prompt goes after \`run\`: \`reins run "..."\`.` : see;
}
