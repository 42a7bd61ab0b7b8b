import { spawn } from "node:child_process";
import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import { scriptBeside } from "../../process/launch/script-path.ts";
import { parseJson, record, text } from "../json.ts";
import type { HolderSpec } from "./holder.ts";

const main = scriptBeside(import.meta.url, "terminal-holder-main");

/**
 * Returns the socket of the holder. The holder runs in its own session, so that it survives its viewer. It ends by itself: with the
 * program, when no viewer connects, or when the viewer disconnects without detaching.
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

/** Reads an error that the holder sent as JSON. */
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
