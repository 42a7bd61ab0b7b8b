/** Starts the process that holds a terminal. */
import { spawn } from "node:child_process";
import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import { scriptBeside } from "../../process/launch/script-path.ts";
import { parseJson, record, text } from "../json.ts";
import type { HolderSpec } from "./holder.ts";

const main = scriptBeside(import.meta.url, "terminal-holder-main");

/**
 * Returns the socket of the holder. It is in a session of its own, so that it survives its viewer, and it ends by itself: with the program, or
 * when no viewer comes or the viewer goes without detaching.
 */
export async function startHolder(
  spec: HolderSpec,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const holder = spawn(process.execPath, [main], {
    cwd: "/",
    detached: true,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  holder.on("error", () => {});
  holder.stdin.on("error", () => {});
  holder.stdin.end(JSON.stringify(spec));
  const said = await firstLine(holder.stdout);
  holder.stdout.destroy();
  holder.unref();
  const { socket, error } = record(parseJson(said));
  if (typeof socket === "string") return socket;
  throw errorIn(error) ?? new ReinsError("internal", "The process that holds the terminal could not be started.");
}

/** An error that came as JSON from the holder. */
export function errorIn(value: unknown): ReinsError | undefined {
  const { code, message, help } = record(value);
  if (typeof message !== "string") return undefined;
  return new ReinsError((text(code) ?? "internal") as ErrorCode, message, { help: text(help) });
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  for await (const chunk of stream) {
    said += String(chunk);
    if (said.includes("\n")) break;
  }
  return said;
}
