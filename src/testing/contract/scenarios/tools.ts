import type { Stage } from "../stage.ts";
import { must, mustBe } from "../check.ts";
import { declared, orSaid, play, scenario, type ContractScenario } from "../types.ts";
import type { Played } from "../player.ts";

async function fully(stage: Stage, name: string, arg?: string): Promise<Played> {
  const what = stage.canPlay(play(name, arg));
  return (await stage.session({ mode: "full" })).turn(what);
}

export const tools: readonly ContractScenario[] = [
  scenario("read", "reads a file", "toolsReported", async (stage) => {
    stage.write("hello.txt", "hello there\n");
    const player = await stage.session();
    await player.turn(play("read"));
    mustBe(player.all("tool.started")[0]?.title, "Read hello.txt", "The title");
    stage.mustKnow("hello there");
  }),
  scenario("write", "writes a file and reports the change", "toolsReported", async (stage) => {
    const { result } = await fully(stage, "write");
    if (stage.place.live) mustBe(result.filesChanged, ["hello.txt"], "What changed");
    stage.mustContain("hello.txt", "hello world");
  }),
  scenario("edit", "edits a file", "toolsReported", async (stage) => {
    stage.write("hello.txt", "one\nhello there\nthree\n");
    await fully(stage, "edit");
    stage.mustContain("hello.txt", "goodbye there");
  }),
  scenario("delete", "deletes a file", "toolsReported", async (stage) => {
    stage.write("hello.txt", "hello there\n");
    await fully(stage, "delete");
    stage.mustExist("hello.txt", false);
  }),
  scenario("shell", "runs a command whose changes to files are found", "toolsReported", async (stage) => {
    await fully(stage, "shell", "echo made > made.txt && cat made.txt");
    stage.mustContain("made.txt", "made");
  }),
  orSaid("exitCodes", "failing-tool", "reports a failed command and continues", async (stage) => {
    await fully(stage, "failing-tool");
  }),
  scenario("unknown-tool", "continues when its model calls an unknown tool", "always", async (stage) => {
    await fully(stage, "unknown-tool");
  }),
  scenario("two-tools", "runs two tool calls of one answer", "always", async (stage) => {
    const { result } = await fully(stage, "two-tools");
    mustBe(result.toolCalls, 2, "The number of tool calls");
    stage.mustExist("one.txt");
    stage.mustExist("two.txt");
  }),
  scenario(
    "huge-output",
    "runs a command that prints a megabyte",
    { proves: "always", notRecorded: "It is large." },
    async (stage) => {
      const { events } = await fully(stage, "shell-output", "1000000");
      for (const event of events) {
        if (event.type !== "tool.completed") continue;
        const { text, kept, bytes } = event.output;
        mustBe(kept, Buffer.byteLength(text), "How much of the output is kept");
        must(kept <= 50 * 1024 && kept <= bytes, `${kept} bytes of the output are kept.`);
      }
    },
  ),
  declared("subagents", "subagent", "separates the work of a subagent from its own", async (stage) => {
    const { result } = await fully(stage, "subagent");
    must(result.background === undefined, "It reports background work, but none runs.");
  }),
  declared("backgroundTasks", "background-task", "starts background work and reports when it ends", async (stage) => {
    const player = await stage.session({ mode: "full" });
    const { result } = await player.turn(play("background-subagent"));
    mustBe(result.background?.length, 1, "The number of tasks that run on");
    stage.place.release("late");
    const { turnId } = await player.when("turn.started", ({ origin }) => origin === "agent");
    await player.when("turn.completed", (end) => end.turnId === turnId);
  }),
];
