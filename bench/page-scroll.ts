/**
 * Scrolling a session of 20,000 events in Chromium from its end to its beginning at wheel speed, compared with a plain page of the same
 * height: how long the frames take, and how many are long enough to be seen as a stutter. `node bench/page-scroll.ts` builds the package.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright-core";
import { interleave, median, percentile, rounded } from "./pairs.ts";
import { report } from "./report.ts";
import { longPage } from "./support/long-page.ts";
import { shown } from "./support/shown.ts";

const events = 20_000;
const pairs = 5;
/** Half a screen per frame: no person scrolls faster for long. */
const pixels = 400;
/** A frame longer than this is visible as a stutter. */
const longMs = 50;
const line = 24;

/**
 * Scrolls from the end to the beginning and returns the duration of each frame. Rows get their height when they are rendered, so the total
 * distance is not known in advance.
 */
const scrolled = `new Promise((resolve) => {
  const list = document.querySelector("[role=log]");
  const frames = [];
  let last = performance.now();
  const step = (now) => {
    frames.push(now - last);
    last = now;
    if (list.scrollTop <= 0) return resolve(frames.slice(1));
    list.scrollTop -= ${pixels};
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

interface Way {
  readonly p99: number;
  /** Percentage of frames longer than `longMs`. */
  readonly long: number;
  readonly frames: number;
  readonly height: number;
}

async function way(context: BrowserContext, address: string, last: string): Promise<Way> {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "commit" });
  await page.evaluate(shown(last));
  await page.evaluate(`(async () => {
    const list = document.querySelector("[role=log]");
    list.scrollTop = list.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  })()`);
  const frames: readonly number[] = await page.evaluate(scrolled);
  const height: number = await page.evaluate(`document.querySelector("[role=log]").scrollHeight`);
  await page.close();
  const long = frames.filter((frame) => frame > longMs).length;
  return { p99: percentile(frames, 99), long: (100 * long) / frames.length, frames: frames.length, height };
}

function plainPage(height: number): string {
  const lines = Array.from({ length: Math.round(height / line) }, (_, at) => `<p>Line ${at} of a plain page.</p>`);
  const style = `body{margin:0}div{height:100vh;overflow:auto}p{margin:0;height:${line}px}`;
  return `<!doctype html><style>${style}</style><div role="log">${lines.join("")}The end.</div>`;
}

await using long = await longPage(events);
const { context, entrance, address, lastWords } = long;
const first = await context.newPage();
await first.goto(entrance, { waitUntil: "networkidle" });
await first.close();
const ours = () => way(context, address, lastWords);
const { height } = await ours();
const bare = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end(plainPage(height)),
).listen(0, "127.0.0.1");
await once(bare, "listening");
const plain = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
const ways = { reins: [] as Way[], floor: [] as Way[] };
const measured = async (made: Way[], one: Promise<Way>): Promise<number> => (made.push(await one), made.at(-1)!.p99);
const frames = await interleave(
  pairs,
  () => measured(ways.reins, ours()),
  () => measured(ways.floor, way(context, plain, "The end.")),
);
report("page-scroll", "reins < 50", "ms, the 99th of 100 frames", frames);
const longOf = (all: readonly Way[]): number => rounded(median(all.slice(1).map(({ long }) => long)));
console.log(
  JSON.stringify({
    bench: "page-scroll-long-frames",
    percent: longOf(ways.reins),
    goal: "<= 1",
    floor: longOf(ways.floor),
    frames: ways.reins.at(-1)?.frames,
    pixels: rounded(height),
    times: pairs,
  }),
);
bare.closeAllConnections();
bare.close();
