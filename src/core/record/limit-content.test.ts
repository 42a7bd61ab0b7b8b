import { expect, test } from "vitest";
import { createRedactor } from "../../events/redact.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { ToolOutputLimit } from "./limit-content.ts";

const redact = createRedactor({ A_TOKEN: "tell-nobody" });

test("gives the same text as redacting the whole at once, however the text is cut", () => {
  const whole = "a tell-nobody b sk-ant-0123456789abcdefghijkl\n";
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(whole.length)), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const output = new ToolOutputLimit(redact, 1000);
      const shown = places.slice(1).map((end, index) => output.push(whole.slice(places[index], end)));
      expect(shown.join("") + output.flush()).toBe(redact(whole));
    }),
  );
});

test("shows at most the limit, in whole characters, and nothing after the cut", () => {
  const output = new ToolOutputLimit(redact, 10);
  expect(output.push("123456")).toBe("123456");
  expect(output.push("78é9")).toBe("78é");
  expect(output.push("more")).toBe("");
  expect(output.flush()).toBe("");
});

test("does not show the beginning of a secret at the cut", () => {
  const output = new ToolOutputLimit(redact, 8);
  expect(output.push("a tell-nobody")).toBe("a ");
  expect(output.push("b")).toBe("");
  expect(output.flush()).toBe("");
});
