import type { LoggedRequest } from "../../requests.ts";
import { must, mustBe, mustReject, NotProvable } from "../check.ts";
import type { Player } from "../player.ts";
import type { Stage } from "../stage.ts";
import { orSaid, play, type ContractScenario } from "../types.ts";

/** The model named in the body or the path of a request. */
function modelOf(request: LoggedRequest | undefined): string | undefined {
  const { model } = Object(request?.body) as { model?: unknown };
  return typeof model === "string" ? model : /\/models\/([^/:]+)/.exec(request?.path ?? "")?.[1];
}

async function twoModels(stage: Stage): Promise<readonly [string, string]> {
  if (stage.place.models !== undefined) return stage.place.models;
  const { models = [] } = await stage.reins.agent(stage.place.agent);
  const [one, other] = models;
  if (one === undefined || other === undefined) throw new NotProvable("It does not list two models to switch between.");
  return [one.id, other.id];
}

const total = (player: Player) =>
  player
    .all("usage.updated")
    .filter(({ scope }) => scope === "session")
    .at(-1)?.tokens;

export const models: readonly ContractScenario[] = [
  orSaid("changeModel", "model-change", "changes its model in the middle of a session", async (stage) => {
    if (!stage.can.changeModel) {
      const player = await stage.session();
      await player.turn(play("text"));
      const change = player.session.configure({ model: "another" });
      return mustReject(change, ["unsupported", "model_unknown"], "Another model");
    }
    const [one, other] = await twoModels(stage);
    const player = await stage.session({ model: one });
    await player.turn(play("text"));
    await player.session.configure({ model: other });
    await player.when("session.updated", ({ model, by }) => model !== undefined && by === "person");
    await player.turn(play("text"));
    const asked = stage.asked;
    if (asked.length > 0)
      must(modelOf(asked[0]) !== modelOf(asked.at(-1)), `Both turns used the model ${modelOf(asked[0])}.`);
  }),
  orSaid("knowsModels", "model-unknown", "refuses an unknown model, or fails the first turn with it", async (stage) => {
    const opened = stage.session({ model: "no-such-model" });
    if (stage.can.knowsModels) return mustReject(opened, "model_unknown", "A model that is not there");
    await (await opened).turn(play("error-404"));
  }),
  orSaid("cost", "cost", "reports the cost of a turn", async (stage) => {
    const { result } = await stage.turn(play("text"));
    // A cost that Reins calculates from a price list was not reported by the agent.
    const told = result.costUsd !== undefined && result.costSource !== "prices";
    mustBe(told, stage.can.cost, "Whether the cost is told");
  }),
  orSaid("usage", "accounting", "adds up the usage of two turns and a third in a new process", async (stage) => {
    const player = await stage.session();
    const first = (await player.turn(play("text"))).result;
    const second = (await player.turn(play("text"))).result;
    if (stage.can.usage === "none") return mustBe(first.usage, undefined, "The usage");
    if (stage.can.usage === "turn") {
      must((first.usage?.input ?? 0) > 0 && (first.usage?.output ?? 0) > 0, "The first turn used nothing.");
      const sum = total(player);
      if (sum !== undefined)
        mustBe(sum.output, (first.usage?.output ?? 0) + (second.usage?.output ?? 0), "The sum of two turns");
    } else must((total(player)?.output ?? 0) > 0, "The session used nothing.");
    if (!stage.can.resume) return;
    await player.session.close();
    const again = await stage.session({ resume: second.state });
    const third = (await again.turn(play("text"))).result;
    if (stage.can.usage === "turn") mustBe(third.usage?.output, second.usage?.output, "What the third turn used");
  }),
];
