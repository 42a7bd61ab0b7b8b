import { expect, it } from "vitest";
import { fit } from "./fit.ts";

it("keeps a line within the columns", () => {
  expect(fit("short", 20)).toBe("short");
  expect(fit("0123456789", 8)).toBe("0123456…");
});

it("counts what may be wide as two columns", () => {
  expect(fit("漢字漢字漢字", 8)).toBe("漢字漢…");
  expect(fit("⠋ Run…", 9)).toBe("⠋ Run…");
});
