import { isUtf8 } from "node:buffer";
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import type { Attachment } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import { defaultLimits } from "../events/limits.ts";
import { absolutePath } from "../process/launch/current-folder.ts";

/** A pipe that stays open and silent must not hang a command that already has its prompt. */
const patienceMs = 3_000;

export type Stdin = AsyncIterable<Buffer> & { readonly isTTY: boolean; destroy(): unknown };

export interface PromptSource {
  /** Undefined when there is nothing to read. */
  readonly stdin: Stdin | undefined;
  readonly say: (line: string) => void;
  readonly patience?: number;
}

/** The words, then the piped input. Waits for stdin when there are no words, or when one of them is `-`. */
export async function readPrompt(words: readonly string[], source: PromptSource): Promise<string> {
  const explicit = words.length === 0 || words.includes("-");
  const text = words.filter((word) => word !== "-").join(" ");
  const piped = await readInput(explicit, source);
  const prompt = [text, piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") {
    throw new ReinsError("invalid_input", "The prompt is empty.", {
      help: 'Give it as an argument, as in `reins run "explain this folder"`, or on stdin.',
    });
  }
  return prompt;
}

async function readInput(explicit: boolean, source: PromptSource): Promise<string> {
  const { stdin, say } = source;
  if (stdin === undefined) return "";
  if (stdin.isTTY) {
    if (!explicit) return "";
    say("Type the prompt and end it with Ctrl-D.");
  }
  const bytes = await readAll(stdin, say, explicit ? undefined : (source.patience ?? patienceMs));
  if (bytes.includes(0) || !isUtf8(bytes)) {
    throw new ReinsError("invalid_input", "The input on stdin is binary, but a prompt must be text.", {
      help: "Attach a file with `--file <path>` or `--image <path>`.",
    });
  }
  return new TextDecoder().decode(bytes);
}

async function readAll(stdin: Stdin, say: (line: string) => void, patience: number | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let gaveUp = false;
  const giveUp = (): void => {
    gaveUp = true;
    stdin.destroy();
  };
  const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      size += chunk.length;
      if (size > defaultLimits.promptBytes) throw new ReinsError("invalid_input", tooLong, { help: inFile });
      chunks.push(chunk);
    }
  } catch (error) {
    if (!gaveUp) throw unreadable(error);
  } finally {
    clearTimeout(timer);
  }
  if (gaveUp) say("There was no input on stdin in time, so only the words are used. Add `-` to wait for stdin.");
  return Buffer.concat(chunks);
}

const mebibytes = defaultLimits.promptBytes / 1024 / 1024;
const tooLong = `The input on stdin is longer than ${mebibytes} MiB, the maximum for a prompt.`;
const inFile = "Put it into a file in the folder and name the file in the prompt.";

function unreadable(error: unknown): Error {
  if (error instanceof ReinsError) return error;
  const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return new ReinsError("invalid_input", `Stdin could not be read (${why}).`, { cause: error });
}

/** Undefined for the null device. */
export function stdinOf(descriptor: number): Stdin | undefined {
  try {
    const [it, nothing] = [fstatSync(descriptor), statSync(devNull)];
    return it.isCharacterDevice() && it.rdev === nothing.rdev ? undefined : process.stdin;
  } catch {
    return process.stdin;
  }
}

/** The files of `--image` and `--file`, resolved against the current folder. */
export function attachments(options: {
  readonly image?: readonly string[];
  readonly file?: readonly string[];
}): readonly Attachment[] {
  const { image = [], file = [] } = options;
  return [
    ...image.map((path) => ({ kind: "image", path: existing(path) }) as const),
    ...file.map((path) => ({ kind: "file", path: existing(path) }) as const),
  ];
}

function existing(path: string): string {
  const whole = absolutePath(path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new ReinsError("invalid_input", found === undefined ? `There is no file ${path}.` : `${path} is not a file.`);
  return whole;
}
