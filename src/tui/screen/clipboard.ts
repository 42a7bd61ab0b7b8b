/** Copies text to the clipboard of the person's own computer, also over SSH (OSC 52). */
import { passThrough, type TerminalEnv } from "./passthrough.ts";

/** Terminals accept between 75 kB and 1 MB of base64 and silently ignore more. */
export const clipboardLimit = 74_000;

/** Undefined when the text is too long: nothing would be copied, and the caller has to say so. */
export function clipboardSequence(text: string, env: TerminalEnv): string | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > clipboardLimit) return undefined;
  return passThrough(`\x1b]52;c;${bytes.toString("base64")}\x07`, env);
}
