import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { ReinsError } from "../../events/errors.ts";
import { PermissionPrompts } from "../ask/prompts.ts";
import { findTerminal } from "../ask/terminal.ts";
import { addCommand, type CommandContext } from "../command.ts";
import { type Exit, exitOfTurn } from "../exit-codes.ts";
import { reportError } from "../failure.ts";
import { followTurn } from "../follow-turn.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { untilEnding } from "../signals.ts";
import { TourGuide } from "./tour-guide.ts";

const prompt = "What can you do?";
const answerMs = 60_000;

export function register(program: Command, { ending, finish }: CommandContext): void {
  addCommand(program, "tour", "Watch a short session; needs nothing installed.").action(async () =>
    finish(await tour(ending)),
  );
}

/** A short session with the built-in demo agent, explained step by step. */
async function tour(ending: AbortSignal): Promise<Exit> {
  const cwd = await mkdtemp(join(tmpdir(), "reins-tour-"));
  await using _folder = { [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }) };
  await writeFile(join(cwd, "README.md"), "# A project to look at\n");
  const { createReins } = await import("../../core/reins.ts");
  await using reins = createReins({ deadlines: { permission: answerMs } });
  // A CI machine may have a terminal but no user in front of it.
  using terminal = process.env["CI"] === undefined ? findTerminal() : undefined;
  const screen = new Screen();
  using _still = { [Symbol.dispose]: () => screen.still() };

  const found = await untilEnding(ending, reins.agents());
  const agent = found.find((status) => status.builtIn === true);
  if (agent === undefined) throw new ReinsError("unsupported", "No agent is built in, so there is nothing to tour.");
  const isAttended = terminal !== undefined;
  const guide = new TourGuide({ agent: agent.id, cwd, prompt, isAttended, answerSeconds: answerMs / 1000 });
  await writeOut(guide.begin());

  const prompts = new PermissionPrompts();
  const onPermission = terminal === undefined ? () => "allow" as const : prompts.onPermission;
  const session = await untilEnding(ending, reins.session({ agent: agent.id, cwd, mode: "ask", onPermission }));
  const start = () => session.prompt(prompt, { signal: ending });
  const asks = terminal === undefined ? undefined : { terminal, prompts, screen };
  const result = await followTurn(session, start, asks, (event) => writeOut(guide.explain(event)));
  if (result.error !== undefined) await reportError(result.error);
  const own = found.find((status) => status.ready && status.builtIn !== true);
  if (result.outcome === "done") await writeOut(guide.end(agent, own));
  return exitOfTurn(result);
}
