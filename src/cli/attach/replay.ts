/** Replays a terminal recording. It is drawn from a screen in memory, so that only text and colours reach this terminal. */
import { setTimeout } from "node:timers/promises";
import { readRecording, type RecordedEvent, type Recording } from "../../protocols/pty/recording.ts";
import { clampSize } from "../../protocols/pty/open-pty.ts";
import { Screen } from "../../protocols/pty/screen.ts";
import { printable } from "../../events/printable.ts";

/** Longer pauses are shortened to this. */
const longestPauseSeconds = 2;

export interface ReplayOptions {
  readonly path: string;
  readonly speed: number;
  readonly ending: AbortSignal;
  readonly output: NodeJS.WriteStream;
}

/** On a terminal, replays with the original pauses; otherwise prints the final text. */
export async function replay({ path, speed, ending, output }: ReplayOptions): Promise<void> {
  const recording = readRecording(path);
  const screen = await Screen.create(clampSize(recording.columns, recording.rows));
  if (!output.isTTY) {
    for (const event of recording.events) await apply(screen, event);
    output.write(`${[printable(screen.fullText), ...notes(recording)].join("\n")}\n`);
    return;
  }
  output.write("\x1b[?1049h\x1b[?25l");
  try {
    await play(recording, screen, { speed, ending, output });
  } finally {
    output.write("\x1b[0m\x1b[?25h\x1b[?1049l");
  }
  output.write(`${[printable(screen.text), ...notes(recording)].join("\n")}\n`);
}

async function play(
  { events }: Recording,
  screen: Screen,
  { speed, ending, output }: Pick<ReplayOptions, "speed" | "ending" | "output">,
): Promise<void> {
  let shown = 0;
  for (const event of events) {
    const pause = Math.min(Math.max(0, event.time - shown), longestPauseSeconds) / speed;
    shown = Math.max(shown, event.time);
    await setTimeout(pause * 1_000, undefined, { signal: ending }).catch(() => undefined);
    if (ending.aborted) return;
    await apply(screen, event);
    if (event.kind === "output" || event.kind === "resize") output.write(screen.drawing(output.columns, output.rows));
  }
}

async function apply(screen: Screen, { kind, text }: RecordedEvent): Promise<void> {
  if (kind === "output") await screen.write(Buffer.from(text));
  const [, columns, rows] = (kind === "resize" && /^(\d+)x(\d+)$/.exec(text)) || [];
  if (columns === undefined) return;
  const size = clampSize(Number(columns), Number(rows));
  screen.resize(size.columns, size.rows);
}

/** Notes that Reins wrote into the recording, such as that its end was cut. */
function notes({ events }: Recording): string[] {
  return events.filter(({ kind, text }) => kind === "note" && text.includes(" ")).map(({ text }) => printable(text));
}
