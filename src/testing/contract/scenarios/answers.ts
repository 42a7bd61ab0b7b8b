/** Answers without tools. */
import { must, mustBe } from "../check.ts";
import { play, type ContractScenario } from "../types.ts";

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
