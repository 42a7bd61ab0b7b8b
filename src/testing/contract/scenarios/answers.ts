import { must, mustBe } from "../check.ts";
import { declared, orSaid, play, scenario, type ContractScenario } from "../types.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export const answers: readonly ContractScenario[] = [
  scenario("text", "says a text", "always", async (stage) => {
    const { result } = await stage.turn(play("text"));
    mustBe(result.text, "Hello from the scripted model.", "The text of the turn");
  }),
  orSaid("deltas", "deltas", "says a text piece by piece", async (stage) => {
    const { result } = await stage.turn(play("deltas"));
    mustBe(result.text.slice(0, 13), "One two three", "The beginning of the text");
  }),
  declared("thinking", "thinking", "tells thinking apart from text", async (stage) => {
    const { result } = await stage.turn(play("thinking"));
    must(!result.text.includes("Let me think"), "A thought is in the text of the turn.");
  }),
  orSaid(
    "asksAgain.empty",
    "empty",
    "ends a turn in which nothing was said, or asks its model again, visibly, and gives up",
    async (stage) => {
      const { result } = await stage.turn(play("empty"));
      mustBe(result.text, "", "The text of the turn");
    },
  ),
  scenario("unicode", "keeps every character", "always", async (stage) => {
    await stage.turn(play("unicode"));
  }),
  scenario(
    "huge-text",
    "says a huge text, of which the beginning is kept",
    { proves: "always", notRecorded: "It is large." },
    async (stage) => {
      const player = await stage.session();
      const { result } = await player.turn(play("huge", "300000"));
      const [said] = player.all("message.completed");
      mustBe(said?.bytes, 300_000, "The length of the text");
      must(result.text.length <= 50 * 1024, "The text of the turn is longer than what is kept.");
    },
  ),
  orSaid("images", "image", "shows an image to its model", async (stage) => {
    const attachments = [{ kind: "image", mediaType: "image/png", data: pixel }] as const;
    const { result } = await stage.turn(play("image"), {}, { attachments });
    if (stage.can.images) mustBe(result.text, "I see 1 image(s).", "What the model says of it");
  }),
  orSaid("files", "file", "takes a file with the prompt", async (stage) => {
    stage.write("notes.txt", "Remember the milk.\n");
    await stage.turn(play("text"), {}, { attachments: [{ kind: "file", path: stage.path("notes.txt") }] });
    if (stage.can.files) stage.mustKnow("notes.txt");
  }),
];

export const failures: readonly ContractScenario[] = [
  scenario("error-401", "says that its key is refused", "always", async (stage) => {
    await stage.turn(play("bad-key"));
  }),
  scenario(
    "error-429",
    "says that a limit is reached, and until when",
    { proves: "always", place: { plan: true } },
    async (stage) => {
      const { result } = await stage.turn(play("quota"));
      if (stage.can.limits) must(result.error?.resetsAt !== undefined, "When the limit is over is not said.");
    },
  ),
  scenario("error-500-once", "gets over one server error", "always", async (stage) => {
    await stage.turn(play("error-500-once"));
  }),
  orSaid(
    "givesUp",
    "error-500",
    "gives up when the server fails for ever, or is seen trying and can be cancelled",
    async (stage) => {
      const player = await stage.session();
      const turn = player.begin(play("error-500"));
      if (!stage.can.givesUp) {
        await player.when("agent.retrying");
        await turn.cancel();
      }
      await player.end(turn);
    },
  ),
  orSaid(
    "asksAgain.cut",
    "cut-stream",
    "asks again when the connection is cut in the middle of an answer, and doubles no text",
    async (stage) => {
      await stage.turn(play("cut-once"));
    },
  ),
];
