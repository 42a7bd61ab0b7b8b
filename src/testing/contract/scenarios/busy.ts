/** A prompt while another turn runs. */
import { must, mustReject } from "../check.ts";
import { play, type ContractScenario } from "../types.ts";
import { isSpeaking } from "./cancelling.ts";

export const busy: readonly ContractScenario[] = [
  {
    id: "busy",
    title: "refuses a second prompt while it works, or does it afterwards",
    proves: ["always"],
    async run(stage) {
      const player = await stage.session();
      const first = player.begin(play("slow-text", "brief"));
      await isSpeaking(stage, player, first);
      await mustReject(player.begin(play("text")).result, "session_busy", "A second prompt");
      const second = player.begin(play("text"), { whenBusy: "queue" });
      await player.when("input.added");
      stage.place.release("slow");
      await player.end(first);
      await player.end(second);
    },
  },
  {
    id: "steer",
    title: "takes a prompt into the running turn, or says that it follows after it",
    proves: ["steer"],
    declared: (can) => can.steer,
    evenSo: true,
    async run(stage) {
      const player = await stage.session();
      const first = player.begin(play("slow-text", "brief"));
      await isSpeaking(stage, player, first);
      const second = player.begin(play("echo", "and-this-too"), { whenBusy: "steer" });
      await player.when("input.added");
      if (stage.place.capabilities.steer) await stage.place.tap.steered;
      stage.place.release("slow");
      await player.end(first);
      const { result } = await player.end(second);
      must(result.text.includes("and-this-too"), "What was added is not in what it said in the end.");
    },
  },
];
