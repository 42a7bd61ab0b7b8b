/** Its program dies, or does not want to. */
import { must, NotProvable } from "../check.ts";
import { play, type ContractScenario } from "../types.ts";
import { isSpeaking } from "./cancelling.ts";

export const processes: readonly ContractScenario[] = [
  {
    id: "killed",
    title: "fails the turn when it is killed, and the next prompt works",
    proves: ["always"],
    async run(stage) {
      const player = await stage.session();
      await player.turn(play("echo", "remember-me"));
      const program = stage.program();
      await stage.writtenDown("remember-me");
      const turn = player.begin(play("slow-text"));
      await isSpeaking(stage, player, turn);
      await stage.kill(program);
      await player.end(turn);
      await player.turn(play("text"));
    },
  },
  {
    id: "ignores-stdin-close",
    title: "is ended though it ignores that its input is closed",
    proves: ["always"],
    place: { deaf: true },
    notRecorded: "It is about a process.",
    async run(stage) {
      const player = await stage.session();
      await player.turn(play("text"));
      const program = stage.program();
      await player.session.close();
      must(program.isGone, "Its process still runs when the session is closed.");
    },
  },
  {
    id: "compaction",
    title: "says that it compacted its context",
    proves: ["always"],
    async run(stage) {
      const { compactPrompt } = stage.place;
      if (compactPrompt === undefined) throw new NotProvable("It cannot be made to compact its context.");
      const player = await stage.session();
      await player.turn(play("echo", "a-long-story"));
      await player.turn(compactPrompt);
      await player.turn(play("text"));
    },
  },
];
