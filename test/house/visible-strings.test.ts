import { describe, expect, test } from "vitest";
import type { Kind } from "../../scripts/lib/visible-string-rules.ts";
import { visibleStrings } from "../../scripts/lib/visible-strings.ts";
import { read } from "./source.ts";

const found = (code: string, file = "src/sample.tsx") =>
  visibleStrings(file, code).map(({ kind, text }) => `${kind}: ${text}`);

describe("npm run words finds", () => {
  test.each([
    ['throw new ReinsError("invalid_input", `There is no folder ${cwd}.`)', "error: There is no folder {cwd}."],
    ['throw new HttpError(403, "x", "This host is not allowed.")', "error: This host is not allowed."],
    ['new ReinsError(code, why, { help: "Leave it out." })', "help: Leave it out."],
    ['out.push(notice("truncated", "A tool call has no id."))', "notice: A tool call has no id."],
    ['program.option("--port <n>", "listen on this port", port)', "command: listen on this port"],
    ['addCommand(program, "serve", "The page in your browser.")', "command: The page in your browser."],
    ['screen.line("Open it in a browser.")', "output: Open it in a browser."],
    ['z.string().describe("Seconds to wait")', "api: Seconds to wait"],
    ["const view = <p>Settings</p>", "label: Settings"],
    ['const view = <p>{busy ? "Working" : "Done"}</p>', "label: Working"],
    ['const view = <Field placeholder="Describe a task" />', "label: Describe a task"],
    ['const view = <Button aria-label="Close" />', "label: Close"],
    ['const row = { label: "Signed in" }', "label: Signed in"],
    ['const message = "The plan was" + " not approved.";', "text: The plan was not approved."],
  ])("%s", (code, expected) => expect(found(code)).toContain(expected));

  test("each kind in the sources", () => {
    const kindsOf = (file: string) => visibleStrings(file, read(file)).map(({ kind }) => kind);
    const files = ["src/cli/commands/serve.ts", "src/core/config/config-schema.ts", "src/web/composer/new-session.tsx"];
    const kinds = new Set(files.flatMap(kindsOf));
    expect(["error", "help", "command", "output", "api", "label"].filter((kind) => !kinds.has(kind as Kind))).toEqual(
      [],
    );
  });

  test("the line of a string", () => {
    expect(visibleStrings("src/a.ts", '\n\nsay("Type a prompt.")')).toEqual([
      { file: "src/a.ts", line: 3, kind: "output", text: "Type a prompt." },
    ]);
  });
});

describe("npm run words leaves out", () => {
  test.each([
    'import { a } from "./there is no file.ts";',
    'db.prepare("SELECT id FROM sessions WHERE number = ?")',
    'type Answer = "yes I do" | "no I do not";',
    'if (line === "fatal: not a git repository") stop();',
    'const view = <p className="card new comparison link" />',
    'program.option("-a, --agent <id>")',
    'new ReinsError("invalid_input", message)',
    "const icon = 'M3 13V8.5M6.3 13V5';",
  ])("%s", (code) => expect(found(code)).toEqual([]));

  test("what a scripted model says", () => {
    expect(found('const text = "I thought about it: 42.";', "src/testing/scenarios.ts")).toEqual([]);
  });
});
