/** Answers without tools. */
import { must, mustBe } from "../check.ts";
import type { Stage } from "../stage.ts";
import { play } from "../types.ts";
import type { ContractScenario } from "../types.ts";

/** One red pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export const answers: readonly ContractScenario[] = [
  {
    id: "text",
    title: "says a text",
    proves: ["always"],
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("text"));
      mustBe(result.text, "Hello from the scripted model.", "The text of the turn");
    },
  },
  {
    id: "deltas",
    title: "says a text piece by piece",
    proves: ["deltas"],
    declared: (can) => can.deltas,
    evenSo: true,
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("deltas"));
      mustBe(result.text.slice(0, 13), "One two three", "The beginning of the text");
    },
  },
  {
    id: "thinking",
    title: "tells thinking apart from text",
    proves: ["thinking"],
    declared: (can) => can.thinking,
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("thinking"));
      must(!result.text.includes("Let me think"), "A thought is in the text of the turn.");
    },
  },
  {
    id: "empty",
    title: "ends a turn in which nothing was said, or asks its model again, visibly, and gives up",
    proves: ["asksAgain.empty"],
    declared: (can) => can.asksAgain.includes("empty"),
    evenSo: true,
    async run(stage) {
      const { result } = await (await stage.session()).turn(play("empty"));
      mustBe(result.text, "", "The text of the turn");
    },
  },
  {
    id: "unicode",
    title: "keeps every character",
    proves: ["always"],
    async run(stage) {
      await (await stage.session()).turn(play("unicode"));
    },
  },
  {
    id: "huge-text",
    title: "says a huge text, of which the beginning is kept",
    proves: ["always"],
    notRecorded: "It is large.",
    async run(stage) {
      const player = await stage.session();
      const { result } = await player.turn(play("huge", "300000"));
      const [said] = player.all("message.completed");
      mustBe(said?.bytes, 300_000, "The length of the text");
      must(result.text.length <= 50 * 1024, "The text of the turn is longer than what is kept.");
    },
  },
  {
    id: "image",
    title: "shows an image to its model",
    proves: ["images"],
    declared: (can) => can.images,
    evenSo: true,
    async run(stage) {
      const attachments = [{ kind: "image", mediaType: "image/png", data: pixel }] as const;
      const { result } = await (await stage.session()).turn(play("image"), { attachments });
      if (stage.can.images) mustBe(result.text, "I see 1 image(s).", "What the model says of it");
    },
  },
  {
    id: "file",
    title: "takes a file with the prompt",
    proves: ["files"],
    declared: (can) => can.files,
    evenSo: true,
    async run(stage) {
      stage.write("notes.txt", "Remember the milk.\n");
      await (
        await stage.session()
      ).turn(play("text"), { attachments: [{ kind: "file", path: stage.path("notes.txt") }] });
      if (stage.can.files) stage.mustKnow("notes.txt");
    },
  },
];

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
