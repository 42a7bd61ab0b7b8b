/** Every agent folder has files of the same names; additional files are listed here with a reason. */
import { expect, test } from "vitest";
import { sources } from "./source.ts";

const standard =
  /^(?:index|program|models|launch|session|translate(?:-\w+)?|tools|requests|failures|usage|manage|history|proof)\.ts$/;

/** Names of files and folders, without their extension. */
const extras: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  qwen: {
    hooks: "its calls are held by HTTP hooks, a second channel beside its wire",
    transcript: "usage and silent retries stand only in its transcript",
  },
  opencode: {
    "hold-plugin": "the source of the plugin that holds its calls",
    "plan-file": "a plan is a file that it writes",
    server: "it is an HTTP server that is started and asked",
  },
  pi: { "hold-extension": "the source of the extension that holds its calls" },
  cursor: {
    acp: "one of its two channels",
    print: "one of its two channels",
    hooks: "the hooks that hold its calls in both channels",
    "extra-arguments": "checks further arguments of the caller",
    "unasked-changes": "changes that it made without asking, seen after the fact",
  },
  "cursor-cloud": Object.fromEntries(
    ["acknowledged-events", "client", "client-http", "client-v0", "client-v1", "follow", "image-size"]
      .concat(["rate-limit", "repository", "schemas", "service", "state", "webhook"])
      .map((name) => [name, "it is a client of a remote service with two versions, and has no process"]),
  ),
  native: Object.fromEntries(
    ["compaction", "endpoints", "html-to-text.d", "instructions", "loop", "mcp", "model-call"]
      .concat(["tools", "transcript", "turn", "use-tool"])
      .map((name) => [name, "it is an agent of its own: model calls, a loop and tools instead of a wire"]),
  ),
  aider: { rules: "what its screen says, as data: it has no wire to translate" },
  "claude-acp": { options: "the options of the ACP engine for this program" },
  demo: {
    steps: "an agent without a model: what it does",
    tour: "an agent without a model: what it shows first",
    words: "an agent without a model: the language of its prompts",
  },
  acp: { known: "the names of programs that speak ACP" },
};

const files = sources().flatMap((file) => {
  const [, agent, name] = /^src\/agents\/([^/]+)\/([^/]+)/.exec(file) ?? [];
  return agent === undefined || name === undefined || agent === "shared" ? [] : [{ agent, name }];
});
const plain = (name: string): string => name.replace(/\.tsx?$/, "");

test("an agent folder has the standard files, and others only with a reason", () => {
  expect(files.length).toBeGreaterThan(100);
  const others = files.filter(({ agent, name }) => !standard.test(name) && extras[agent]?.[plain(name)] === undefined);
  expect([...new Set(others.map(({ agent, name }) => `${agent}/${name}`))]).toEqual([]);
});

test("every listed additional file exists", () => {
  const there = new Set(files.map(({ agent, name }) => `${agent}/${plain(name)}`));
  const listed = Object.entries(extras).flatMap(([agent, names]) =>
    Object.keys(names).map((name) => `${agent}/${name}`),
  );
  expect(listed.filter((name) => !there.has(name))).toEqual([]);
});
