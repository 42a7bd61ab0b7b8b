/** A cancel works at any moment, and the session is usable after it. */
import type { Turn } from "../../../core/api.ts";
import { mustBe } from "../check.ts";
import type { Player } from "../player.ts";
import type { Stage } from "../stage.ts";
import { play, type ContractScenario } from "../types.ts";

/** It is in the middle of what `slow-text` says in this turn; what an earlier one said does not count. */
export async function isSpeaking(stage: Stage, player: Player, { id }: Turn): Promise<void> {
  if (stage.can.deltas) await player.when("message.delta", ({ turnId }) => turnId === id);
  else await stage.place.model?.reached("slow");
}

/** After a cancel: the next turn, in the same process where that is declared. */
async function goesOn(stage: Stage, player: Player): Promise<void> {
  const before = stage.place.tap.launched.length;
  await player.turn(play("text"));
  if (stage.can.cancelKeepsProcess) mustBe(stage.place.tap.launched.length, before, "The number of its processes");
}

export const cancelling: readonly ContractScenario[] = [
  {
    id: "cancel-streaming",
    title: "can be cancelled while it speaks",
    proves: ["cancelKeepsProcess"],
    async run(stage) {
      const player = await stage.session();
      const turn = player.begin(play("slow-text"));
      await isSpeaking(stage, player, turn);
      await turn.cancel();
      await player.end(turn);
      await goesOn(stage, player);
    },
  },
  {
    id: "cancel-in-tool",
    title: "can be cancelled while a command runs, which ends too",
    proves: ["cancelKeepsProcess"],
    async run(stage) {
      const player = await stage.session({ mode: "full" });
      const turn = player.begin(play("long-shell", "echo $$ > pid; touch started; exec tail -f /dev/null"));
      await player.when("tool.started");
      await stage.made("started");
      await turn.cancel();
      await player.end(turn);
      await stage.gone("pid");
      await goesOn(stage, player);
    },
  },
  {
    id: "cancel-idle",
    title: "can be cancelled when it does nothing",
    proves: ["always"],
    async run(stage) {
      const player = await stage.session();
      await player.session.cancel();
      await player.turn(play("text"));
      await player.session.cancel();
      await goesOn(stage, player);
    },
  },
];
