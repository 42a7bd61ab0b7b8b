/** How tools of each kind can be held: a call that Reins denies does not run. */
import { kinds, toolKinds, type ToolKind } from "../../../events/tools.ts";
import { mcpServer } from "../../mcp-server.ts";
import { ContractFailure, must, NotProvable } from "../check.ts";
import type { Player } from "../player.ts";
import type { Stage } from "../stage.ts";
import { declared, play, type ContractScenario, type Play } from "../types.ts";

interface Sample {
  readonly what: string;
  /** The call that must not run. */
  readonly play: (stage: Stage) => Play;
  readonly undone: (stage: Stage, player: Player) => void;
}

const withFile = (name: string) => (stage: Stage) => {
  stage.write("hello.txt", "hello there\n");
  return play(name);
};
const unread = (stage: Stage) => stage.mustKnow("hello there", false);
const stillThere = (stage: Stage) => stage.mustExist("hello.txt");

const samples: Readonly<Record<ToolKind, Sample>> = {
  read: { what: "reading a file", play: withFile("read"), undone: unread },
  search: { what: "searching", play: withFile("search"), undone: unread },
  edit: {
    what: "writing a file",
    play: () => play("write", "x.txt"),
    undone: (stage) => stage.mustExist("x.txt", false),
  },
  execute: {
    what: "running a command",
    play: () => play("shell", "ln -s nowhere x.txt"),
    undone: (stage) => stage.mustExist("x.txt", false),
  },
  delete: { what: "deleting a file", play: withFile("delete"), undone: stillThere },
  move: { what: "renaming a file", play: withFile("move"), undone: stillThere },
  think: {
    what: "starting a subagent",
    play: () => play("subagent", "scenario:echo:inside Say it."),
    undone: (stage) => must(!stage.asked.some(({ scenario }) => scenario === "echo"), "The subagent ran anyway."),
  },
  fetch: {
    what: "fetching a page",
    play: (stage) => play("fetch", `${stage.place.model?.url ?? "http://127.0.0.1:1"}/fetched`),
    undone: (stage) =>
      must(!stage.place.model?.requests.some(({ path }) => path === "/fetched"), "The page was fetched anyway."),
  },
  switch_mode: {
    what: "changing its own mode",
    play: () => play("mode"),
    undone: (_stage, player) =>
      must(
        !player.all("session.updated").some(({ mode, by }) => mode !== undefined && by === "agent"),
        "The mode changed anyway.",
      ),
  },
  other: {
    what: "using a tool of an MCP server",
    play: () => play("mcp"),
    undone: (stage) => stage.mustKnow("The sum is 5.", false),
  },
};

/** Kinds of tools that an agent may consider safe. */
const looksOnly: readonly ToolKind[] = ["read", "search", "think", "fetch", "switch_mode"];

export const holds: readonly ContractScenario[] = kinds.map((kind) =>
  declared(`hold.${kind}`, `hold-${kind}`, `can be prevented from ${samples[kind].what}`, async (stage) => {
    const sample = samples[kind];
    const hold = stage.can.hold[kind];
    const waits = hold === "every" || hold === "unsafe_only";
    // A hold at the start of the agent, or by a sandbox, shows in the read-only mode.
    const mode = waits ? "ask" : "read";
    if (!stage.can.modes.includes(mode)) throw new NotProvable(`It has no mode ${mode} to show it in.`);
    const call = stage.canPlay(sample.play(stage));
    if (waits) stage.place.tap.denied = kind;
    const mcpServers = kind === "other" && stage.can.mcpServers ? { scripted: mcpServer() } : {};
    const player = await stage.session({ mode, mcpServers, onPermission: () => "deny" });
    await player.turn(call);
    const waited =
      stage.place.tap.denials > 0 || player.all("permission.requested").some(({ tool }) => toolKinds[tool] === kind);
    if (hold === "unsafe_only" && !waited && looksOnly.includes(kind))
      throw new NotProvable(`It does not consider ${sample.what} unsafe, so it does not wait.`);
    sample.undone(stage, player);
    if (!waits || waited) return;
    const ran = player.all("tool.started").filter(({ tool }) => toolKinds[tool] === kind);
    const done = player.all("tool.completed").some(({ callId }) => ran.some((call) => call.callId === callId));
    // The agent does not offer the tool now: nothing ran, but nothing was proven either.
    if (!done) throw new NotProvable("The call failed before it could wait.");
    throw new ContractFailure(`${sample.what[0]?.toUpperCase()}${sample.what.slice(1)} did not wait for Reins.`);
  }),
);
