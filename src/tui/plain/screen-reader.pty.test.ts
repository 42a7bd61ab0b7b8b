/** The command in a capable terminal: asked for line mode, it writes only text. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { openTerminal } from "../../../test/support/terminal.ts";

test.each(["--screen-reader", "--plain"])("%s: writes no escape sequence in a whole run", async (option) => {
  const place = new Place();
  onTestFinished(() => place[Symbol.dispose]());
  await using terminal = openTerminal(place, ["tui", option, "-a", "demo"], { env: { COLORTERM: "truecolor" } });
  await terminal.shows("Type a prompt and press Enter");
  terminal.type("think first; say **bold** and `code`; write a.txt hello\r");
  await terminal.shows("Type a number or a letter");
  terminal.type("1\r");
  await terminal.shows("Turn finished");
  expect(existsSync(join(place.cwd, "a.txt"))).toBe(true);
  terminal.type("/status\r");
  await terminal.shows("Demo Status");
  terminal.type("/diff\r");
  await terminal.shows("+++ b/a.txt");
  terminal.type("! printf '\\033[31mred\\033[0m'\r");
  await terminal.shows("Exit code 0.");
  terminal.type("fail overloaded\r");
  // The terminal itself echoes the typed text, so the next "> " may come after it.
  await terminal.shows(/^(?:> )?Error: /m);
  terminal.type("/quit\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toMatch(/^(?:> )?red\r$/m);
  expect(terminal.output()).not.toMatch(/[\x00-\x06\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
});
