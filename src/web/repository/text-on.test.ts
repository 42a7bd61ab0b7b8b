import { expect, test } from "vitest";
import { textOn } from "./text-on.ts";

test.each([
  ["#FFAA00", "#000000"],
  ["#00FF00", "#000000"],
  ["#888888", "#000000"],
  ["#FF0000", "#000000"],
  ["#A855F7", "#000000"],
  ["#666666", "#ffffff"],
  ["#000000", "#ffffff"],
])("on %s returns %s", (color, text) => expect(textOn(color)).toBe(text));
