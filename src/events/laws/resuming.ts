import type { CreateLaw } from "./law.ts";

/**
 * Law 7: within a leg (from one `session.started` to the next) the log has a state before the first tool starts, and
 * from then on every turn ends with a state.
 * Events cannot show whether that state is enough to resume.
 */
export const resuming: CreateLaw = (report, options) => {
  const resumes = options.resumes ?? (() => true);
  let leg: { agent: string; state: boolean; worked: boolean } | undefined;
  return {
    push(event) {
      if (event.type === "session.started") {
        leg = { agent: event.agent, state: event.state !== undefined, worked: false };
      } else if (event.type === "session.updated" && leg !== undefined) {
        leg.state ||= event.state !== undefined;
      } else if (event.type === "tool.started" && leg?.worked !== true && resumes(event.agent)) {
        if (leg === undefined) report(event.seq, "a tool started before any leg did");
        else if (!leg.state)
          report(event.seq, `the first tool of the leg of ${leg.agent} started before its state was known`);
        if (leg !== undefined) leg.worked = true;
      } else if (event.type === "turn.completed" && leg?.state === true && event.state === undefined) {
        report(event.seq, "a state is known and the turn ended without one");
      }
    },
  };
};
