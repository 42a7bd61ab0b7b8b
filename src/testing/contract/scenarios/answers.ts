import { must, mustBe } from "../check.ts";
import { declared, orSaid, play, scenario, type ContractScenario } from "../types.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export const answers: readonly ContractScenario[] = [
  scenario("text", "answers with text", "always", async (stage) => {
    const { result } = await stage.turn(play("text"));
    mustBe(result.text, "Hello from the scripted model.", "The text of the turn");
  }),
  orSaid("deltas", "deltas", "streams its answer", async (stage) => {
    const { result } = await stage.turn(play("deltas"));
    mustBe(result.text.slice(0, 13), "One two three", "The beginning of the text");
  }),
  declared("thinking", "thinking", "separates thinking from text", async (stage) => {
    const { result } = await stage.turn(play("thinking"));
    must(!result.text.includes("Let me think"), "The text of the turn contains a thought.");
  }),
  orSaid(
    "asksAgain.empty",
    "empty",
    "ends the turn after an empty answer, or reports its retries and gives up",
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
    "answers with a huge text, of which the beginning is kept",
    { proves: "always", notRecorded: "It is large." },
    async (stage) => {
      const player = await stage.session();
      const { result } = await player.turn(play("huge", "300000"));
      const [said] = player.all("message.completed");
      mustBe(said?.bytes, 300_000, "The length of the text");
      must(result.text.length <= 50 * 1024, "The text of the turn is longer than what is kept.");
    },
  ),
  orSaid("images", "image", "sends an image to its model", async (stage) => {
    const attachments = [{ kind: "image", mediaType: "image/png", data: pixel }] as const;
    const { result } = await stage.turn(play("image"), {}, { attachments });
    if (stage.can.images) mustBe(result.text, "I see 1 image(s).", "What the model says of it");
  }),
  orSaid("files", "file", "accepts a file with the prompt", async (stage) => {
    stage.write("notes.txt", "Remember the milk.\n");
    await stage.turn(play("text"), {}, { attachments: [{ kind: "file", path: stage.path("notes.txt") }] });
    if (stage.can.files) stage.mustKnow("notes.txt");
  }),
];

export const failures: readonly ContractScenario[] = [
  scenario("error-401", "reports a refused key", "always", async (stage) => {
    await stage.turn(play("bad-key"));
  }),
  scenario(
    "error-429",
    "reports a reached limit and when it resets",
    { proves: "always", place: { plan: true } },
    async (stage) => {
      const { result } = await stage.turn(play("quota"));
      if (stage.can.limits)
        must(result.error?.resetsAt !== undefined, "The time at which the limit resets is not reported.");
    },
  ),
  scenario("error-500-once", "recovers from one server error", "always", async (stage) => {
    await stage.turn(play("error-500-once"));
  }),
  orSaid(
    "givesUp",
    "error-500",
    "gives up when the server keeps failing, or reports its retries and can be cancelled",
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
    "retries when the connection is cut in the middle of an answer, and repeats no text",
    async (stage) => {
      await stage.turn(play("cut-once"));
    },
  ),
];
