import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentStatus } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { ReinsError } from "../events/errors.ts";
import { Desk } from "./desk.ts";
import { untilEnding } from "./ending.ts";
import { type Exit, exitOfTurn } from "./exit-codes.ts";
import { reportError } from "./failure.ts";
import { followTurn } from "./follow-turn.ts";
import { findPerson } from "./person.ts";
import { Screen, writeOut } from "./screen.ts";
import { TourGuide } from "./tour-guide.ts";

const prompt = "What can you do?";
const answerMs = 60_000;

/** `reins tour`: a short session on the agent that needs nothing, explained as it goes. */
export async function tour(ending: AbortSignal): Promise<Exit> {
  const cwd = await mkdtemp(join(tmpdir(), "reins-tour-"));
  await using _folder = { [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }) };
  await writeFile(join(cwd, "README.md"), "# A project to look at\n");
  await using reins = createReins({ deadlines: { permission: answerMs } });
  // A machine that builds things may have a terminal and still nobody in front of it.
  using person = process.env["CI"] === undefined ? findPerson() : undefined;
  const screen = new Screen();
  using _still = { [Symbol.dispose]: () => screen.still() };

  const found = await untilEnding(ending, reins.agents());
  const agent = found.find((status) => status.builtIn === true);
  if (agent === undefined) throw new ReinsError("unsupported", "No agent is built in, so there is nothing to tour.");
  const guide = new TourGuide({
    agent: agent.id,
    cwd,
    prompt,
    person: person !== undefined,
    answerSeconds: answerMs / 1000,
  });
  await writeOut(guide.begin());

  const desk = new Desk();
  const onPermission = person === undefined ? () => "allow" as const : desk.onPermission;
  const session = await untilEnding(ending, reins.session({ agent: agent.id, cwd, mode: "ask", onPermission }));
  const start = () => session.prompt(prompt, { signal: ending });
  const asks = person === undefined ? undefined : { person, desk, screen };
  const result = await followTurn(session, start, asks, (event) => writeOut(guide.explain(event)));
  if (result.error !== undefined) await reportError(result.error);
  if (result.outcome === "done") await writeOut(guide.end(agent, nextAgent(found)));
  return exitOfTurn(result);
}

/** An agent of the person's own that is ready, to go on with. */
function nextAgent(found: readonly AgentStatus[]): AgentStatus | undefined {
  return found.find((status) => status.ready && status.builtIn !== true);
}
