import { Option, type Command } from "commander";
import { rename, rm, stat } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { ReinsError } from "../../events/errors.ts";
import { batched } from "../../server/pages.ts";
import { exportFormats } from "../../view/export-formats.ts";
import type { ExportFormat } from "../../view/index.ts";
import { addCommand, texts, type CommandContext } from "../command.ts";
import { safeFor } from "../render/text.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { iterateUntil } from "../signals.ts";
import { withReins } from "../with-status.ts";

interface ExportOptions {
  readonly format?: ExportFormat;
  readonly output?: string;
  readonly thoughts?: boolean;
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "export", "Export a session as Markdown, as an HTML page, or as its events.")
    .argument("<session>", texts.session)
    .addOption(
      new Option("-f, --format <format>", "the format (default: by the file name, else md)").choices(exportFormats),
    )
    .option("-o, --output <file>", "write to this file instead of stdout")
    .option("--thoughts", "include thinking; the events always include it")
    .action(async (name: string, { output, thoughts, ...options }: ExportOptions) => {
      const format = options.format ?? byEnding[extname(output ?? "").toLowerCase()] ?? "md";
      const { exportSession } = await import("../../view/index.ts");
      await withReins(async (reins) => {
        const { id, title } = await reins.sessions.get(name);
        const pieces = exportSession(batched(reins.sessions.events(id)), { format, title, thoughts });
        if (output !== undefined) return toFile(pieces, output, ending);
        const safe = format === "jsonl" ? (text: string) => text : safeFor(process.stdout);
        for await (const piece of iterateUntil(ending, pieces)) await writeOut(safe(piece));
      });
    });
}

const byEnding: Readonly<Record<string, ExportFormat>> = {
  ".md": "md",
  ".markdown": "md",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".html": "html",
  ".htm": "html",
};

/** Writes to a temporary file beside it first, so that an existing file stays whole until the new one is complete. */
async function toFile(pieces: AsyncGenerator<string>, output: string, ending: AbortSignal): Promise<void> {
  const there = await stat(output).catch(() => undefined);
  // A rename would replace a device or a pipe.
  if (there?.isFile() === false)
    throw new ReinsError("invalid_input", `${output} is ${there.isDirectory() ? "a folder" : "no file"}.`, {
      help: "Name a file: `-o session.html`.",
    });
  const partial = `${output}.${process.pid}.part`;
  try {
    await pipeline(iterateUntil(ending, pieces), createWriteStream(partial, { flags: "wx" }));
    await rename(partial, output);
  } catch (thrown) {
    await rm(partial, { force: true });
    const { code } = thrown as NodeJS.ErrnoException;
    if (typeof code !== "string" || !code.startsWith("E")) throw thrown;
    throw new ReinsError("invalid_input", `${output} could not be written: ${words[code] ?? code}.`);
  }
  const { size } = await stat(output);
  new Screen().line(`Wrote ${output}, ${Math.ceil(size / 1000)} kB.`);
}

const words: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "the folder does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};
