import { expect, test } from "vitest";
import { read, sources } from "./source.ts";

const longestFile = 400;
const mostFiles = 30;

const generated = /\.generated\.ts$/;

const files = sources();

test("no source file is longer than 400 lines", () => {
  const long = files
    .filter((file) => !generated.test(file))
    .map((file) => ({ file, lines: read(file).split("\n").length - 1 }))
    .filter(({ lines }) => lines > longestFile);
  expect(long).toEqual([]);
});

test("no folder has more than 30 source files side by side", () => {
  const folders = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf("/")));
  const crowded = [...folders].filter(([, inside]) => inside.length > mostFiles);
  expect(crowded.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([]);
});
