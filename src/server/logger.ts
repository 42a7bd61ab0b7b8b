/** The log of the server: lines of JSON, without secrets and without content of sessions. */
import { pino } from "pino";
import { createRedactor } from "../events/redact.ts";
import type { ServerLog } from "./context.ts";

export interface LoggerOptions {
  readonly verbose: boolean;
  readonly token: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
}

export function serverLogger({ verbose, token, env, write }: LoggerOptions): ServerLog {
  const redact = createRedactor({ ...env, REINS_SERVER_TOKEN: token });
  return pino(
    { level: verbose ? "info" : "warn", base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(redact(line)) },
  );
}
