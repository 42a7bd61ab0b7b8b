/**
 * A Reins process that is killed during its work: `node victim.ts <leaves> <stubborn> [<step> <before|after>]`. Prints each event. With a
 * step it kills itself before or after its nth system call that starts a process or touches the ledger. Without a step it runs to its end,
 * prints the number of steps and waits to be killed.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createReins, type Session } from "../../src/index.ts";

const [leaves = "", stubborn = "", wanted = "", when = ""] = process.argv.slice(2);
let steps = 0;

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function counted<Call extends (...args: never[]) => unknown>(call: Call): Call {
  return ((...args: never[]) => {
    const here = String(++steps) === wanted;
    if (here && when === "before") die();
    const result = call(...args);
    if (here && when === "after") die();
    return result;
  }) as Call;
}

childProcess.spawn = counted(childProcess.spawn);
for (const name of ["mkdirSync", "writeSync", "renameSync", "rmSync"] as const) {
  Object.assign(fs, { [name]: counted(fs[name] as (...args: never[]) => unknown) });
}
syncBuiltinESMExports();

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function work(session: Session, prompt: string, cancelAt?: string): Promise<void> {
  const turn = session.prompt(prompt);
  for await (const event of turn) {
    say(event.type);
    if (event.type === cancelAt) void turn.cancel();
  }
}

say("awake");
const reins = createReins({ deadlines: { term: 100, drain: 50 } });
const open = (): Promise<Session> => reins.session({ agent: "demo", mode: "full" });
const [first, second] = await Promise.all([open(), open()]);
await Promise.all([
  work(first, `run ${leaves}; stream 20; run true`),
  work(second, `run ${stubborn}`, "tool.progress"),
]);
await reins.close();
say(`steps ${steps}`);
setInterval(() => {}, 60_000);
