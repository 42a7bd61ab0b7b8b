import { expect, test } from "vitest";
import { agentColors } from "../core/config/agent-file.ts";
import { agentColour } from "./agent-colour.ts";

test.each([
  ["#12ab9F", "#12ab9F"],
  ["Magenta", "#D946EF"],
  ["url(http://x)", "#888888"],
  ["#fff", "#888888"],
])("draws %s as %s", (color, hex) => expect(agentColour(color)).toBe(hex));

test("has a colour for every name that an agent file may use", () => {
  expect(new Set(agentColors.map(agentColour)).size).toBe(agentColors.length);
});
