/**
 * Reads a command line: every visible simple command, the files of its redirections, and whether that is everything.
 * Pure; never throws.
 */
import { parseLine } from "./parse.ts";
import type { FileUse, Reading, SimpleCommand } from "./types.ts";
import { unwrap } from "./unwrap.ts";

/** Maximum depth of command lines inside command lines (`bash -c`). */
const deepest = 32;

export function readCommandLine(line: string): Reading {
  const reader = new Reader();
  try {
    reader.line(line, 0);
  } catch {
    // An overflow on deep nesting must not let a command through, so mark it dynamic.
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
