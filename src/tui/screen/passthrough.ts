/** Passes sequences through tmux and screen, which otherwise consume them. */

export type TerminalEnv = Readonly<Record<string, string | undefined>>;

export function multiplexer(env: TerminalEnv): "tmux" | "screen" | undefined {
  if (env["TMUX"]) return "tmux";
  return env["STY"] || env["TERM"]?.startsWith("screen") ? "screen" : undefined;
}

/** screen takes at most 768 bytes in one string. */
const screenPiece = 700;

/** Wraps a sequence in DCS, so that the multiplexer passes it to the outer terminal (tmux needs `allow-passthrough on`). */
export function passThrough(sequence: string, env: TerminalEnv): string {
  switch (multiplexer(env)) {
    case "tmux":
      return `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
    case "screen": {
      let wrapped = "";
      for (let from = 0; from < sequence.length; from += screenPiece) {
        // A string terminator (ESC \) in the sequence would end the DCS too early, so its backslash is sent in a separate DCS.
        const piece = sequence.slice(from, from + screenPiece).replaceAll("\x1b\\", "\x1b\x1b\\\x1bP\\");
        wrapped += `\x1bP${piece}\x1b\\`;
      }
      return wrapped;
    }
    default:
      return sequence;
  }
}
