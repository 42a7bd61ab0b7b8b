import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { standIn } from "../stand-ins/stand-in.ts";
import { streamJsonReplies } from "../stand-ins/stream-json.ts";
import { imports, read, root } from "./source.ts";

const page = read("docs/architecture.md");
const walked = [...page.matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].map(([, file]) => `src/${file}`);

/** All files that a file loads, directly or indirectly, at once or later. */
function reachedFrom(start: string): Set<string> {
  const found = new Set<string>([start]);
  for (const file of found)
    for (const target of imports(file))
      if (target.startsWith("src/") && existsSync(join(root, target))) found.add(target);
  return found;
}

test("one prompt crosses at most twenty files, which the page lists", () => {
  expect(walked.length).toBeGreaterThan(10);
  expect(walked.length).toBeLessThanOrEqual(20);
  expect(walked.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("each file is reached from the start of the command", () => {
  const reached = reachedFrom(walked[0] as string);
  expect(walked.filter((file) => !reached.has(file))).toEqual([]);
});

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** The source files in which a function ran, not counting the module body. */
function executed(folder: string): Set<string> {
  const ran = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage;
    return result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
    );
  });
  return new Set(ran.map(({ url }) => url));
}

test("a prompt with a tool call runs code in each file", async () => {
  const home = mkdtempSync(join(tmpdir(), "reins-one-prompt-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const coverage = join(home, "coverage");
  mkdirSync(coverage);
  const [control, user] = streamJsonReplies;
  const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "true" } };
  const message = { id: "msg_0", role: "assistant", model: "stand-in", content: [use] };
  const asked = { subtype: "can_use_tool", tool_name: "Bash", input: use.input, tool_use_id: use.id };
  const [init, ...rest] = user!.print;
  const print = [
    init!,
    { type: "assistant", message, parent_tool_use_id: null, session_id: "s" },
    { type: "control_request", request_id: "ask_1", request: asked },
    ...rest,
  ];
  const REINS_CLAUDE_COMMAND = standIn("good", { folder: home, replies: [control!, { ...user!, print }] });
  await promisify(execFile)(
    process.execPath,
    [join(root, "bin/reins.js"), "run", "--no-server", "-a", "claude", "--mode", "full", "hello"],
    {
      cwd: home,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        REINS_HOME: home,
        REINS_CLAUDE_COMMAND,
        NODE_V8_COVERAGE: coverage,
      },
    },
  );
  const ran = executed(coverage);
  expect(walked.filter((file) => !ran.has(pathToFileURL(join(root, file)).href))).toEqual([]);
}, 60_000);
