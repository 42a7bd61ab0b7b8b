/**
 * The stand-in for Cursor's program: a small, real agent that prints what the real one is known to print, acts as it is known to act, and
 * has its known traps. Facts and their sources: docs/cursor.md.
 */
import { readArguments } from "./arguments.ts";
import { complain, Ending, say } from "./output.ts";
import { trapsIn } from "./traps.ts";

async function main(): Promise<void> {
  const traps = trapsIn(process.env);
  const given = readArguments(process.argv.slice(2));
  const [word = ""] = given.words;
  if (given.is.has("version")) return say(traps.version);
  if (given.unknown !== undefined) throw new Ending(1, `error: unknown option '${given.unknown}'`);
  if (given.is.has("help")) return say("Usage: agent [options] [command] [prompt...]");
  // Loaded on use, so that short commands start fast.
  const { commands } = await import("./commands.ts");
  const command = given.is.has("print") ? undefined : commands[given.is.has("listModels") ? "models" : word];
  if (command !== undefined) return command(given, traps);
  if (word === "acp" && !traps.noAcp && !given.is.has("print")) {
    const { serveAcp } = await import("./acp/serve.ts");
    return serveAcp(given, traps);
  }
  // Without a terminal it uses print mode, requested or not.
  const { print } = await import("./print/print.ts");
  return print(given, traps);
}

try {
  await main();
  process.exit(0);
} catch (thrown) {
  const ending = thrown instanceof Ending ? thrown : new Ending(1, String((thrown as Error).stack ?? thrown));
  if (ending.message !== "") complain(ending.message);
  process.exit(ending.code);
}
