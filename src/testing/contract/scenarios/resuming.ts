/** A conversation continues: in another process, after a kill, in a fork, from a history. */
import { isReinsError } from "../../../events/errors.ts";
import { must, mustBe, mustReject } from "../check.ts";
import { declared, orSaid, play, scenario, type ContractScenario } from "../types.ts";

export const resuming: readonly ContractScenario[] = [
  orSaid("resume", "resume", "resumes from a state in a new process", async (stage) => {
    const first = await stage.session();
    const { result } = await first.turn(play("echo", "remember-me"));
    if (!stage.can.resume) return mustBe(result.state, undefined, "The state");
    await first.session.close();
    await stage.reins.close();
    const second = await stage.session({ resume: result.state }, stage.place.reins());
    await second.turn(play("text"));
    stage.mustKnow("remember-me");
  }),
  declared(
    "resume",
    "resume-after-kill",
    "resumes in a new process after it was killed during a tool call",
    async (stage) => {
      const first = await stage.session({ mode: "full" });
      await first.turn(play("echo", "remember-me"));
      const program = stage.program();
      const turn = first.begin(play("long-shell", "touch started; exec tail -f /dev/null"));
      await first.when("tool.started");
      await stage.made("started");
      await stage.writtenDown("remember-me");
      await stage.kill(program);
      const { result } = await first.end(turn);
      await stage.reins.close();
      const second = await stage.session({ resume: result.state, mode: "full" }, stage.place.reins());
      await second.turn(play("text"));
      stage.mustKnow("remember-me");
    },
  ),
  scenario(
    "resume-unknown",
    "reports an unknown conversation",
    { declared: "resume", notRecorded: "Some look for its file before they start anything." },
    async (stage) => {
      const { agent } = stage.place;
      await mustReject(stage.session({ resume: `${agent}:1:nonsense` }), "session_not_found", "A damaged state");
      if (stage.place.forget === undefined) return;
      const { result } = await stage.turn(play("text"));
      await stage.reins.close();
      stage.place.forget();
      const code = await stage
        .session({ resume: result.state }, stage.place.reins())
        .then(async (player) => (await player.turn(play("text"))).result.error?.code)
        .catch((error: unknown) => (isReinsError(error) ? error.code : String(error)));
      mustBe(code, "session_not_found", "What is said of a conversation that is not there");
    },
  ),
  declared("fork", "fork", "continues in a fork that has its own state", async (stage) => {
    const first = await stage.session();
    const { result } = await first.turn(play("echo", "original"));
    const copy = await stage.session({ resume: result.state, fork: true });
    const forked = await copy.turn(play("echo", "in-the-copy"));
    must(forked.result.state !== result.state, "The copy has the state of the original.");
    stage.mustKnow("original");
    await first.turn(play("text"));
    stage.mustKnow("in-the-copy", false);
  }),
  orSaid("history", "history", "accepts earlier messages as its conversation", async (stage) => {
    const history = [
      { role: "person", text: "My name is Ada." },
      { role: "agent", text: "Good morning, Ada." },
    ] as const;
    await stage.turn(play("text"), { history });
    if (!stage.can.history) return;
    stage.mustKnow("My name is Ada.");
    stage.mustKnow("Good morning, Ada.");
  }),
];
