/** A cancel works at any moment, and the session is usable after it. */
import type { Turn } from "../../../core/api.ts";
import { must, mustBe, mustReject, NotProvable } from "../check.ts";
import type { Player } from "../player.ts";
import type { Stage } from "../stage.ts";
import { orSaid, play, scenario, type ContractScenario } from "../types.ts";

/** Waits until the agent streams the answer of `slow-text` in this turn; text of an earlier turn does not count. */
async function isSpeaking(stage: Stage, player: Player, { id }: Turn): Promise<void> {
  if (stage.can.deltas) await player.when("message.delta", ({ turnId }) => turnId === id);
  else await stage.place.model?.reached("slow");
}

/** Runs the next turn after a cancel, in the same process if that is declared. */
async function goesOn(stage: Stage, player: Player): Promise<void> {
  const before = stage.place.tap.launched.length;
  await player.turn(play("text"));
  if (stage.can.cancelKeepsProcess) mustBe(stage.place.tap.launched.length, before, "The number of its processes");
}

export const cancelling: readonly ContractScenario[] = [
  scenario("cancel-streaming", "can be cancelled while it answers", "cancelKeepsProcess", async (stage) => {
    const player = await stage.session();
    const turn = player.begin(play("slow-text"));
    await isSpeaking(stage, player, turn);
    await turn.cancel();
    await player.end(turn);
    await goesOn(stage, player);
  }),
  scenario(
    "cancel-in-tool",
    "can be cancelled while a command runs, and ends the command",
    "cancelKeepsProcess",
    async (stage) => {
      const player = await stage.session({ mode: "full" });
      const turn = player.begin(play("long-shell", "echo $$ > pid; touch started; exec tail -f /dev/null"));
      await player.when("tool.started");
      await stage.made("started");
      await turn.cancel();
      await player.end(turn);
      await stage.gone("pid");
      await goesOn(stage, player);
    },
  ),
  scenario("cancel-idle", "can be cancelled while it is idle", "always", async (stage) => {
    const player = await stage.session();
    await player.session.cancel();
    await player.turn(play("text"));
    await player.session.cancel();
    await goesOn(stage, player);
  }),
];

export const busy: readonly ContractScenario[] = [
  scenario("busy", "refuses a second prompt while it works, or queues it", "always", async (stage) => {
    const player = await stage.session();
    const first = player.begin(play("slow-text", "brief"));
    await isSpeaking(stage, player, first);
    await mustReject(player.begin(play("text")).result, "session_busy", "A second prompt");
    const second = player.begin(play("text"), { whenBusy: "queue" });
    await player.when("input.added");
    stage.place.release("slow");
    await player.end(first);
    await player.end(second);
  }),
  orSaid("steer", "steer", "takes a prompt into the running turn, or reports that it is queued", async (stage) => {
    const player = await stage.session();
    const first = player.begin(play("slow-text", "brief"));
    await isSpeaking(stage, player, first);
    const second = player.begin(play("echo", "and-this-too"), { whenBusy: "steer" });
    await player.when("input.added");
    if (stage.place.capabilities.steer) await stage.place.tap.steered;
    stage.place.release("slow");
    await player.end(first);
    const { result } = await player.end(second);
    must(result.text.includes("and-this-too"), "The answer to the added prompt is missing.");
  }),
];

export const processes: readonly ContractScenario[] = [
  scenario("killed", "fails the turn when it is killed, and answers the next prompt", "always", async (stage) => {
    const player = await stage.session();
    await player.turn(play("echo", "remember-me"));
    const program = stage.program();
    await stage.writtenDown("remember-me");
    const turn = player.begin(play("slow-text"));
    await isSpeaking(stage, player, turn);
    await stage.kill(program);
    await player.end(turn);
    await player.turn(play("text"));
  }),
  scenario(
    "ignores-stdin-close",
    "is stopped even if it ignores that its stdin was closed",
    { proves: "always", place: { deaf: true }, notRecorded: "It is about a process." },
    async (stage) => {
      const player = await stage.session();
      await player.turn(play("text"));
      const program = stage.program();
      await player.session.close();
      must(program.isGone, "Its process still runs when the session is closed.");
    },
  ),
  scenario("compaction", "reports that it compacted its context", "always", async (stage) => {
    const { compactPrompt } = stage.place;
    if (compactPrompt === undefined) throw new NotProvable("It cannot be made to compact its context.");
    const player = await stage.session();
    await player.turn(play("echo", "a-long-story"));
    await player.turn(compactPrompt);
    await player.turn(play("text"));
  }),
];
