import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import type { ServeCommand } from "./serve.ts";

export function addServe(program: Command, ending: AbortSignal): void {
  program
    .command("serve")
    .description("The page in your browser, and the API, on this machine.")
    .option("--port <n>", "listen on this port; otherwise 7347, or any that is free", port)
    .option("--host <address>", "listen there, instead of on this machine only", "127.0.0.1")
    .option("--root <folder>", "sessions are only about folders in this one; may be repeated", collect)
    .option("--allow-host <name>", "a further name this server is called by; may be repeated", collect)
    .option("--verbose", "a line for each request, on stderr")
    .helpOption("-h, --help", "this help")
    .action(async (options: ServeCommand) => {
      const { serve } = await import("./serve.ts");
      await serve(options, ending);
    });
}

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError("It must be a port, 0 to 65535.");
  return number;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
