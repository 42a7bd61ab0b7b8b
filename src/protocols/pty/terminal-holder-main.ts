/** The process that holds a terminal. Reads its specification from stdin and reports on stdout that viewers can connect, or why not. */
import { readFileSync, writeSync } from "node:fs";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { toReinsError } from "../../events/errors.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { createProcesses } from "../../process/index.ts";
import { TerminalHolder, type HolderSpec } from "./holder.ts";

const spec = JSON.parse(readFileSync(0, "utf8")) as HolderSpec;
const redact = createRedactor(process.env);
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
// The guardian ends the program when this process is killed.
const processes = createProcesses({ env, redact, deadlines: defaultDeadlines, limits: defaultLimits, guardian: true });
try {
  const holder = await TerminalHolder.start(spec, { processes, redact, env });
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => void holder.close());
  // Ignore HUP: this process has no terminal of its own, and the viewer reports when its terminal closes.
  process.on("SIGHUP", () => {});
  writeSync(1, `${JSON.stringify({ socket: holder.socket })}\n`);
  await holder.ended;
} catch (thrown) {
  const { code, message, help } = toReinsError(thrown);
  writeSync(1, `${JSON.stringify({ error: { code, message, help } })}\n`);
}
await processes.close();
process.exit();
