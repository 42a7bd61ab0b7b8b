import { describe, expect, test } from "vitest";
import { imports, sources } from "./source.ts";

/** The folders each folder of `src` may import besides itself, or single files of a folder. */
const below: Record<string, readonly string[]> = {
  events: [],
  view: ["events"],
  process: ["events"],
  workspace: ["events", "process"],
  protocols: ["events", "process"],
  agents: ["events", "process", "workspace", "protocols"],
  core: ["events", "view", "process", "workspace", "protocols", "agents"],
  store: ["events", "core/log/types.ts", "core/log/event-batch.ts", "core/log/log-reader.ts"],
  client: ["events", "core/api.ts", "server/schemas"],
  server: ["events", "view", "process", "workspace", "protocols", "agents", "core"],
  bridges: ["events", "view", "process", "workspace", "protocols", "agents", "core"],
  fleet: ["events", "view", "process", "workspace", "protocols", "agents", "core"],
  testing: ["events", "view", "process", "workspace", "protocols", "agents", "core"],
  commands: ["events", "view", "core/api.ts"],
  tui: ["events", "view", "core/api.ts", "commands"],
  web: ["events", "view", "core/api.ts", "client", "server/schemas", "commands"],
  cli: [
    "events",
    "view",
    "process",
    "workspace",
    "protocols",
    "agents",
    "core",
    "commands",
    "store",
    "client",
    "server",
    "bridges",
    "fleet",
    "testing",
    "commands",
    "tui",
  ],
};

function mayImport(from: string, to: string): boolean {
  const [, room = ""] = from.split("/");
  const [, target = ""] = to.split("/");
  if (!from.startsWith(`src/${room}/`)) return true;
  if (!to.startsWith("src/")) return false;
  if (room === "agents" && target === "agents") return sameAgent(from, to);
  return (
    target === room ||
    (below[room] ?? []).some((allowed) => to === `src/${allowed}` || to.startsWith(`src/${allowed}/`))
  );
}

/** True for files of the same agent's folder: an agent imports neither another agent nor the list of all agents. */
function sameAgent(from: string, to: string): boolean {
  const folder = (file: string): string | undefined => /^src\/agents\/([^/]+)\//.exec(file)?.[1];
  const common =
    to === "src/agents/contract.ts" || to.startsWith("src/agents/shared/") || to === "src/agents/variable.ts";
  return folder(from) === undefined || folder(to) === folder(from) || common;
}

const files = sources();

test("finds the sources, and every folder has an entry", () => {
  expect(files.length).toBeGreaterThan(50);
  const rooms = new Set(files.filter((file) => file.split("/").length > 2).map((file) => file.split("/")[1] as string));
  expect([...rooms].filter((room) => below[room] === undefined)).toEqual([]);
});

test("imports go one way", () => {
  const wrong = files.flatMap((file) =>
    imports(file)
      .filter(
        (target) =>
          (target.startsWith("src/") || target.includes("/src/") || target.startsWith("..")) &&
          !mayImport(file, target),
      )
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** Schemas for documented interfaces of other products. They are loaded when the first such session is opened, never at the start. */
const schemasOfAgents: readonly string[] = ["src/agents/cursor/hooks/schemas.ts", "src/agents/cursor-cloud/schemas.ts"];

test("only schemas and readers of outside input import zod at run time", () => {
  const readers = files.filter((file) => file.startsWith("src/agents/") && imports(file).includes("zod"));
  expect(readers.filter((file) => !schemasOfAgents.includes(file))).toEqual([]);
});

describe("the rule itself", () => {
  test.each([
    ["src/events/laws.ts", "src/process/types.ts"],
    ["src/process/launch/launch.ts", "src/protocols/x.ts"],
    ["src/agents/claude/index.ts", "src/core/api.ts"],
    ["src/agents/claude/index.ts", "src/agents/demo/words.ts"],
    ["src/agents/demo/index.ts", "src/agents/index.ts"],
    ["src/agents/shared/program/program.ts", "src/agents/claude/index.ts"],
    ["src/view/x.ts", "src/core/api.ts"],
    ["src/commands/run.ts", "src/core/reins.ts"],
    ["src/store/x.ts", "src/core/session/session.ts"],
    ["src/core/session/session.ts", "src/cli/main.ts"],
    ["src/core/session/session.ts", "src/testing/index.ts"],
    ["src/events/errors.ts", "test/house/source.ts"],
  ])("%s may not import %s", (from, to) => {
    expect(mayImport(from, to)).toBe(false);
  });

  test.each([
    ["src/store/x.ts", "src/core/log/types.ts"],
    ["src/cli/commands/run.ts", "src/core/reins.ts"],
    ["src/agents/index.ts", "src/agents/claude/index.ts"],
    ["src/agents/demo/tools.ts", "src/agents/demo/words.ts"],
    ["src/agents/claude/index.ts", "src/agents/shared/program/program.ts"],
    ["src/index.ts", "src/core/reins.ts"],
  ])("%s may import %s", (from, to) => {
    expect(mayImport(from, to)).toBe(true);
  });
});
