/** What goes wrong with the model's service. */
import { setTimeout as sleep } from "node:timers/promises";
import { must } from "../check.ts";
import type { Stage } from "../stage.ts";
import { play, type ContractScenario } from "../types.ts";

/** An agent that tries for longer than this is cancelled: that it tries again must be seen by then. */
const patienceMs = 12_000;

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
    proves: ["always"],
    async run(stage) {
      const player = await stage.session();
      const turn = player.begin(play("error-500"));
      const patience = new AbortController();
      const outlasted = sleep(patienceMs, "outlasted", { signal: patience.signal }).catch(() => "ended");
      if ((await Promise.race([turn.result.then(() => "ended"), outlasted])) === "outlasted") {
        stage.saw("outlasted");
        await turn.cancel();
      }
      patience.abort();
      await player.end(turn);
    },
  },
  {
    id: "cut-stream",
    title: "doubles no text when the connection is cut in the middle of an answer",
    proves: ["always"],
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("cut-once"));
      // That is no text twice either; whether to ask again is then for others to say.
      if (result.outcome === "failed") stage.saw("gave-up");
    },
  },
];
