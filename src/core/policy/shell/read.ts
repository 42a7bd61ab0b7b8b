/** Reads a command line: every simple command that can be seen, the files its redirections touch, and whether that is all. Pure; never throws. */
import { parseLine } from "./parse.ts";
import type { FileUse, Reading, SimpleCommand } from "./types.ts";
import { unwrap } from "./unwrap.ts";

/** Command lines inside command lines (`bash -c`) are followed this deep. */
const deepest = 32;

export function readCommandLine(line: string): Reading {
  const reader = new Reader();
  try {
    reader.line(line, 0);
  } catch {
    // However it is nested, nobody is let through because it could not be followed.
    reader.dynamic = true;
  }
  const { commands, files, dynamic } = reader;
  return { commands, files, dynamic };
}

class Reader implements Reading {
  readonly commands: SimpleCommand[] = [];
  readonly files: FileUse[] = [];
  dynamic = false;

  line(text: string, depth: number): void {
    if (depth > deepest) {
      this.dynamic = true;
      return;
    }
    const parsed = parseLine(text);
    this.files.push(...parsed.files);
    this.dynamic ||= parsed.dynamic;
    for (const written of parsed.written) {
      const redirected = written.input?.isPiped === false;
      unwrap(written, {
        command: (words, carrier = false) => {
          this.commands.push({ words, carrier, redirected });
          if (words.some((word) => word.dynamic)) this.dynamic = true;
        },
        line: (inner) => this.line(inner, depth + 1),
        dynamic: () => {
          this.dynamic = true;
        },
      });
    }
  }
}
