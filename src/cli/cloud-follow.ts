import type { Reins, Session } from "../core/api.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";
import { withReins } from "./asking.ts";
import { cloudAgent, meant } from "./cloud-agent.ts";
import { EventShow } from "./cloud-show.ts";
import { commandName } from "./command-name.ts";
import { untilEnding } from "./ending.ts";
import { type Exit, exitOfTurn } from "./exit-codes.ts";

export interface CloudFollowCommand {
  readonly agent?: string;
  readonly json?: boolean;
}

/** `reins cloud follow`: what goes on there, from where it is; leaving it leaves it alone. */
export async function cloudFollow(name: string, options: CloudFollowCommand, ending: AbortSignal): Promise<Exit> {
  using view = new EventShow(options.json === true);
  return await withReins(async (reins) => {
    view.screen.status("Asking");
    const { id, session, working } = await untilEnding(ending, attached(reins, name, options.agent));
    if (!working) {
      view.screen.line(`No run of ${id} goes on. What was said: ${commandName()} cloud logs ${id}`);
      return "done";
    }
    const end = await followed(session, view, ending);
    await view.failed(end?.error);
    if (end === undefined) view.screen.line(leftWords(id), "dim");
    return end === undefined ? "done" : exitOfTurn(end);
  });
}

/** For whoever leaves a run that goes on. */
export function leftWords(id: string): string {
  const command = `${commandName()} cloud`;
  return `It goes on there. Follow it: ${command} follow ${id} · stop it: ${command} stop ${id}`;
}

async function attached(reins: Reins, name: string, named: string | undefined) {
  const which = await cloudAgent(reins, named);
  const { id, kept } = await meant(reins, which, name);
  const there = await which.cloud.get(id);
  const resume = kept?.id ?? there.state;
  const session = await reins.session({ agent: which.agent, resume, mode: kept?.mode ?? "full" });
  // Only a session that stands within a run has something to tell; what was so when it was looked up may be over meanwhile.
  return { id, session, working: session.state !== there.state };
}

/** To the end of the turn; undefined where it is left before. */
export async function followed(
  session: Session,
  view: EventShow,
  ending: AbortSignal,
  until: (event: ReinsEvent) => boolean = () => false,
): Promise<EventOf<"turn.completed"> | undefined> {
  for await (const event of session.events({ after: session.resumedAt, signal: ending })) {
    await view.show(event);
    if (event.type === "turn.completed") return event;
    if (until(event)) return undefined;
  }
  return undefined;
}
