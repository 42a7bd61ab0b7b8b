/** What a session is made of, and how it hangs together. Each of those who do its work names the parts that it needs. */
import { errorInfo } from "../events/errors.ts";
import type { Aftermath } from "./aftermath.ts";
import { unlessElsewhere } from "./changes.ts";
import { following } from "./following.ts";
import type { Hearing } from "./hearing.ts";
import { Intake } from "./intake.ts";
import { Journal } from "./journal.ts";
import { Legs } from "./legs.ts";
import { Pace } from "./pace.ts";
import { PendingAnswers } from "./pending.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { QuietWatch } from "./quiet.ts";
import { Recorder } from "./record/recorder.ts";
import { Resting } from "./resting.ts";
import { rehearse } from "./rehearsal.ts";
import { Handover } from "./route/handover.ts";
import { Relay } from "./route/relay.ts";
import type { SessionContext } from "./session-context.ts";
import { Settings } from "./settings.ts";
import type { Spending } from "./spending.ts";
import { SessionState } from "./states.ts";
import type { Stopping } from "./stopping.ts";

export interface SessionParts {
  readonly context: SessionContext;
  readonly state: SessionState;
  readonly settings: Settings;
  readonly queue: PromptQueue;
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly intake: Intake;
  readonly legs: Legs;
  readonly relay: Relay;
  readonly handover: Handover;
  readonly resting: Resting;
  readonly quiet: QuietWatch;
  readonly pace: Pace;
  readonly spending: Spending;
  readonly aftermath: Aftermath;
}

/** Those who do the work; they are made from the parts. */
export interface Workers {
  readonly hearing: () => Hearing;
  readonly stopping: () => Stopping;
}

export function makeParts(context: SessionContext, { hearing, stopping }: Workers): SessionParts {
  const { id: sessionId, cwd, holder, resumed, deadlines, redact, limits, put, log } = context;
  const [state, queue, pace] = [new SessionState(), new PromptQueue(), new Pace()];
  const settings = new Settings(context);
  const recorder = new Recorder({ sessionId, redact, limits, put });
  const journal = new Journal({ recorder, log, relay: () => relay, spending: () => spending });
  const relay = new Relay({
    route: context.route,
    keep: put,
    mode: () => settings.chosenMode,
    knowsPast: holder.options.resume === undefined || resumed !== undefined,
    redact,
    say: (code, message) => journal.say("info", code, message),
  });
  for (const event of resumed?.earlier ?? []) {
    recorder.restore(event);
    relay.restore(event);
  }
  if (resumed?.fork === true) relay.isCopy();
  const pending = new PendingAnswers(deadlines);
  const intake = new Intake({
    recorder,
    pending,
    repository: unlessElsewhere(context.repository, () => settings.agent.capabilities.elsewhere === true),
    people: () => settings.people,
    cwd,
    folders: [cwd, ...(holder.options.directories ?? [])],
    keepsEdits: () => settings.agent.capabilities.keepsEdits === true,
    mode: () => settings.mode,
    policy: () => settings.holder.policy,
    chosenMode: () => settings.chosenMode,
    followMode: (mode, planApproved) => settings.followMode(mode, planApproved),
    cancelling: () => state.isGivenUp,
    session: () => legs.current?.session,
    flush: () => void journal.flush(),
  });
  const { spending, aftermath } = following(context.following, {
    sessionId,
    cwd,
    agent: () => settings.agent.id,
    deadlineMs: deadlines.after,
    say: (event) => {
      if (event.type === "tool.started") recorder.knowState(legs.state);
      recorder.add(event);
      void journal.flush();
    },
    permit: (call, signal) => intake.permit(call, context.following.whoseAfter, signal),
    warn: (code, message) => journal.say("warning", code, message),
    over: (error) => void stopping().overBudget(errorInfo(error)),
  });
  const legs = new Legs({
    agent: () => settings.agent,
    options: () => settings.holder.options,
    earlier: resumed,
    wanted: (goesOn) => ({
      sessionId,
      cwd,
      mode: settings.mode,
      model: settings.model,
      history: relay.history(settings.holder, goesOn),
    }),
    starting: () => rehearse({ redact, limits }),
    opened: (goesOn) => hearing().opened(goesOn),
    beganAgain: (reason) => {
      relay.lost(settings.agent);
      recorder.say({ type: "session.updated", reset: true, by: "agent", reason });
    },
    warn: (message) => journal.say("warning", "close", message),
    closeMs: deadlines.politeClose + deadlines.term,
    take: (event) => hearing().take(event),
    tookBatch: () => hearing().tookBatch(),
    enter: (signal) => resting.enter(signal),
    leave: () => resting.leave(),
    gone: () => hearing().gone(),
  });
  const handover = new Handover({
    relay,
    legs: () => legs,
    held: () => settings.holder,
    hold: (next) => {
      settings.hold(next);
      spending.heldBy(settings.model);
      intake.forgetPlan();
    },
    remark: (message) => journal.say("warning", "divergence", message),
  });
  if (context.heldBefore !== undefined) {
    legs.goOnFrom(relay.stateOf(holder.agent));
    handover.beganElsewhere(context.heldBefore);
  }
  const resting = new Resting({
    agent: () => settings.agent,
    live: context.live,
    legs: () => legs,
    busy: () => state.turn !== undefined || !queue.isEmpty || state.isClosing || recorder.hasTasks,
    waits: (why) => journal.say("info", "waiting", why),
  });
  const quiet = new QuietWatch(deadlines.quiet, holder.options.maxQuietMs, {
    quiet: (seconds) => {
      const message = `${settings.agent.name} has been silent for ${seconds} seconds; it may still be working.`;
      journal.say("info", "quiet", message);
    },
    hung: (seconds) => void stopping().hung(seconds),
    waits: () =>
      pace.paused ||
      resting.waitsFor !== undefined ||
      state.turn?.phase === "moving" ||
      state.turn?.phase === "ending" ||
      pending.all().length > 0,
  });
  return {
    context,
    state,
    settings,
    queue,
    recorder,
    journal,
    intake,
    legs,
    relay,
    handover,
    resting,
    quiet,
    pace,
    spending,
    aftermath,
  };
}
