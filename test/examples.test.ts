/** Every example runs as it is, without an account or an installed agent. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "./support/command.ts";
import { runExample } from "./support/example.ts";

/** The expected output of each example, in order. */
const outputs: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "quickstart.ts": [/^Hello from Reins\n+All done\.\nTo continue: resume: "demo:\S+"\n$/],
  "approve.ts": [
    "allowed by person: go ahead",
    "denied by person: Only notes.txt may change.",
    /changed: \[ '[^']*notes\.txt' \]/,
  ],
  "resume.ts": [
    /The first turn\.\nstate: demo:\S+\n> say The second turn, in the same session\.\nThe second turn, in the same session\.\n$/,
  ],
  "fallback.ts": [
    "demo changed notes.txt",
    "demo failed (overloaded), the next agent goes on",
    "done, changed: notes.txt",
    /You said: [^]*notes\.txt/,
  ],
  "server-client.ts": ["Done by the server.", "changed: [ 'hello.txt' ]"],
  "parallel.ts": [/^demo: done in \d+ ms$/m, /^echo: done in \d+ ms$/m],
  "custom-agent.ts": ["ready: true", "done: You said: Hello.\ndone: You said: Hello again.\n"],
};

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

it("has a test for every example", () => {
  const examples = readdirSync(new URL("../examples", import.meta.url)).filter((name) => name.endsWith(".ts"));
  expect(examples.toSorted()).toEqual(Object.keys(outputs).toSorted());
});

it.each(Object.entries(outputs))("runs examples/%s", async (name, expected) => {
  let rest = await runExample(place, name);
  for (const part of expected) {
    expect(rest).toMatch(part);
    const [found = ""] = typeof part === "string" ? [part] : (part.exec(rest) ?? []);
    rest = rest.slice(rest.indexOf(found) + found.length);
  }
});
