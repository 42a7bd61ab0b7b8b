/**
 * The whole path from a child's pipe to the caller's loop, compared with splitting Buffers and JSON.parse of the same stream. `node
 * bench/pipeline.ts` prints one JSON line for each line length.
 */
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { flooded } from "./support/flooded.ts";

await using flood = await flooded();

async function reins(prompt: string): Promise<void> {
  for await (const event of flood.session.prompt(prompt))
    if (event.type === "turn.completed" && event.outcome !== "done") throw new Error(event.error?.message);
}

const cases = [
  { bench: "pipeline-200B", goal: ">= 0.6", lines: 60_000, bytes: 200 },
  { bench: "pipeline-1MB", goal: ">= 0.8", lines: 40, bytes: 1_000_000 },
];

for (const { bench, goal, lines, bytes } of cases) {
  const prompt = `flood ${lines} ${bytes}`;
  const megabytes = (lines * bytes) / 1e6;
  const rate = async (work: () => Promise<void>) => (megabytes * 1000) / (await milliseconds(work));
  // Warm up both sides, so that both are compiled before they are compared.
  for (let i = 0; i < 5; i++) await reins(prompt);
  report(
    bench,
    goal,
    "MB/s",
    await interleave(
      30,
      () => rate(() => reins(prompt)),
      () => rate(() => flood.floor(prompt)),
    ),
  );
}
