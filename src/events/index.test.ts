import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import * as events from "./index.ts";

it("exports the default tables with positive numbers", () => {
  for (const amount of Object.values({ ...events.defaultDeadlines, ...events.defaultLimits }))
    expect(amount).toBeGreaterThan(0);
});

it("loads no zod, no other folder and no Unicode data", () => {
  const script = `
    Intl.Segmenter = class { constructor() { throw new Error("This takes a quarter of the time of a start."); } };
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(process.argv[1]);
    console.log(JSON.stringify(loaded));
  `;
  const entry = new URL("./index.ts", import.meta.url).href;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, entry], { encoding: "utf8" });
  const loaded = JSON.parse(output) as string[];
  expect(loaded).toContain(entry);
  // Titles are cut by columns, and a library has the table of character widths.
  const ours = loaded.filter((url) => !/\/node_modules\/fast-string-(?:truncated-)?width\//.test(url));
  expect(ours.filter((url) => !url.includes("/src/events/") || url.includes("/schema/"))).toEqual([]);
});
