/** What goes wrong with the model's service. */
import { must } from "../check.ts";
import type { Stage } from "../stage.ts";
import { play, type ContractScenario } from "../types.ts";

async function turnOf(stage: Stage, name: string): Promise<void> {
  await (await stage.session()).turn(play(name));
}

export const failures: readonly ContractScenario[] = [
  {
    id: "error-401",
    title: "says that its key is refused",
    proves: ["always"],
    run: (stage) => turnOf(stage, "bad-key"),
  },
  {
    id: "error-429",
    title: "says that a limit is reached, and until when",
    proves: ["always"],
    place: { plan: true },
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("quota"));
      if (stage.can.limits) must(result.error?.resetsAt !== undefined, "When the limit is over is not said.");
    },
  },
  {
    id: "error-500-once",
    title: "gets over one server error",
    proves: ["always"],
    run: (stage) => turnOf(stage, "error-500-once"),
  },
  {
    id: "error-500",
    title: "gives up when the server fails for ever, or is seen trying and can be cancelled",
    proves: ["givesUp"],
    declared: (can) => can.givesUp,
    evenSo: true,
    async run(stage) {
      const player = await stage.session();
      const turn = player.begin(play("error-500"));
      if (!stage.can.givesUp) {
        await player.when("agent.retrying");
        await turn.cancel();
      }
      await player.end(turn);
    },
  },
  {
    id: "cut-stream",
    title: "asks again when the connection is cut in the middle of an answer, and doubles no text",
    proves: ["asksAgain.cut"],
    declared: (can) => can.asksAgain.includes("cut"),
    evenSo: true,
    run: (stage) => turnOf(stage, "cut-once"),
  },
];
