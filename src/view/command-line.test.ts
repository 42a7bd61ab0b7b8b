import { expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

it("quotes words so that a shell reads them back unchanged", () => {
  expect(commandLine({ command: "/opt/a b/agent", args: ["login", "--as=it's", "$HOME", ""], env: { A: "1 2" } })).toBe(
    "A='1 2' '/opt/a b/agent' login '--as=it'\\''s' '$HOME' ''",
  );
});
