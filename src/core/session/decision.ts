/** Collects what a decision about a call depends on: its paths on disk, the rules, and the settings of the session. */
import { canonicalInput } from "../../events/canonical-input.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { locate, type Located, type Workspace } from "../../workspace/real-paths.ts";
import { decide, type Decision } from "../permissions/decide.ts";
import { grantFor, type Grant } from "../permissions/options.ts";
import { isStopped, modeInForce, type CommandSource, type SessionState } from "./state.ts";

type Asked = AgentEventOf<"tool.held" | "permission.requested">;

export interface SessionDecision extends Decision {
  /** The scope of an "always" answer to a call that Reins itself asks about. */
  readonly grant?: Grant | undefined;
  readonly outside?: boolean | undefined;
}

export function decideOn(
  event: Asked,
  state: SessionState,
  folders: Pick<Workspace, "cwd" | "folders">,
  source?: CommandSource,
): SessionDecision {
  const { chosenMode, active } = state.settings;
  const { judge = "agent", keepsEdits } = active.agent.capabilities;
  const kind = event.type === "tool.held" ? "hold" : "permission";
  const workspace = { ...folders, rules: active.policy.pathRules };
  const located = pathsOf(event).map((path) => locate(workspace, path));
  const isHeld = event.type === "tool.held" && judge === "reins";
  const grant = isHeld ? grantFor(event, located, folders.cwd) : undefined;
  const decision = decide(
    {
      tool: event.tool,
      where: whereOf(event, located),
      rule: active.policy.verdict(event),
      remembered: grant !== undefined && state.grants.has(grant.key),
      ...(event.type === "tool.held" && { name: event.nativeName, filter: event.filter, guessed: event.guessed }),
    },
    { mode: modeInForce(state), chosenMode, judge, kind, cancelling: isStopped(state), keepsEdits, source },
  );
  return { ...decision, grant, outside: located.some(({ where }) => where === "outside") };
}

/** The locations that the agent names, otherwise the paths in the input under common field names. */
function pathsOf({ tool, input, locations = [] }: Asked): readonly string[] {
  if (locations.length > 0) return locations.map(({ path }) => path);
  const kind = toolKinds[tool];
  if (kind !== "read" && kind !== "search") return [];
  const { path, paths = [] } = canonicalInput(tool, input);
  const named = path === undefined ? paths : [path, ...paths];
  // A search without a folder searches the workspace.
  return named.length === 0 && kind === "search" ? ["."] : named;
}

/** The strictest location of all paths. An unknown file counts as outside. */
function whereOf({ tool }: Asked, located: readonly Located[]): Located["where"] | undefined {
  const kind = toolKinds[tool];
  if (located.length === 0) return kind === "read" || kind === "edit" ? "outside" : undefined;
  const found = new Set(located.map(({ where }) => where));
  return (["outside", "protected", "ordinary"] as const).find((where) => found.has(where));
}
