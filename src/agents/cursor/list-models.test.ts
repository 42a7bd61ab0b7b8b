import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { modelsIn } from "./list-models.ts";

const printed = `Available models

auto - Auto (default)
made-up-5.1-low - Made\u200B Up  5.1 Low
made-up-5.1-max-fast - Made Up 5.1 (Max) Fast  (current)
other_1 - Other (current, default)
bare - 

Tip: use --model <id> (or /model <id> in interactive mode) to switch. Parameterized models also accept quoted overrides.
`;

test("the list of models: no header, no tip, the marks apart from the names", () => {
  expect(modelsIn(printed)).toEqual([
    { id: "auto", label: "Auto", default: true },
    { id: "made-up-5.1-low", label: "Made Up 5.1 Low" },
    { id: "made-up-5.1-max-fast", label: "Made Up 5.1 (Max) Fast", current: true },
    { id: "other_1", label: "Other", default: true, current: true },
  ]);
});

test("colours and CRLF are no part of it", () => {
  expect(modelsIn("\u001b[1mauto\u001b[0m - Auto \u001b[2m(default)\u001b[0m\r\n")).toEqual([
    { id: "auto", label: "Auto", default: true },
  ]);
});

test("anything at all is read", () => {
  fc.assert(fc.property(fc.string(), (said) => modelsIn(said).every(({ id }) => id !== "")));
  expect(modelsIn("Error: nothing here")).toEqual([]);
});
