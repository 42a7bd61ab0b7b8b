/** The options of a permission request, and the scope of an "always" answer: a saved rule, or similar calls for the rest of the session. */
import { commandLineOf } from "../policy/command-input.ts";
import { formatRule, type Rule } from "../policy/rule.ts";
import { hostsIn } from "../policy/subject.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { displayPath } from "../../events/paths.ts";
import { oneLine } from "../../events/printable.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf, PermissionOption } from "../../events/types.ts";
import type { Located } from "../../workspace/real-paths.ts";

/** Id of Reins's own "always" option. Reins saves the answer, and the agent only sees that this call was allowed. */
export const alwaysOption = "reins:always";

/**
 * The agent's own options with Reins's "always" option before the agent's. With rules that deny or ask, the agent's
 * "always" is removed: an agent that stops asking could not be held to the rules.
 */
export function optionsWith(
  options: readonly PermissionOption[],
  offer: { readonly rule: Rule; readonly scope: "project" | "session" } | undefined,
  narrows: boolean,
): readonly PermissionOption[] {
  const once = options.findIndex(({ kind }) => kind === "allow_once");
  const left = narrows && once >= 0 ? options.filter(({ kind }) => kind !== "allow_always") : options;
  if (offer === undefined || once < 0) return left;
  const what = formatRule(offer.rule).replace(/^allow /, "");
  const own: PermissionOption = {
    id: alwaysOption,
    kind: "allow_always",
    label: offer.scope === "project" ? `Always allow in this folder: ${what}` : `Always allow in this session: ${what}`,
    scope: offer.scope,
    rule: formatRule(offer.rule),
  };
  return left.toSpliced(left.findIndex(({ kind }) => kind === "allow_once") + 1, 0, own);
}

export interface Grant {
  readonly key: string;
  /** Label for people: "the command npm test". */
  readonly label: string;
}

type HeldCall = Pick<AgentEventOf<"tool.held">, "tool" | "nativeName" | "input" | "mcp">;

/**
 * A grant covers the same command, pages of the same host, edits of ordinary files in the workspace, otherwise the
 * same files or the same tool.
 */
export function grantFor(call: HeldCall, located: readonly Located[], cwd: string): Grant {
  const { tool, nativeName, mcp } = call;
  const line = tool === "shell" ? commandLineOf(call.input) : undefined;
  if (line !== undefined) return { key: `${nativeName} ${line}`, label: `the command ${oneLine(line).slice(0, 60)}` };
  const hosts = tool === "web_fetch" ? hostsIn(call.input, canonicalInput(tool, call.input).url).join(", ") : "";
  if (hosts !== "") return { key: `${nativeName} ${hosts}`, label: `pages of ${hosts}` };
  const isEdit = toolKinds[tool] === "edit";
  const odd = located.filter(({ where }) => where !== "ordinary");
  if (isEdit && located.length > 0 && odd.length === 0) return { key: "edits", label: "edits in the workspace" };
  if (located.length > 0 && (isEdit || odd.length > 0)) {
    const what = isEdit ? "edits of" : `${nativeName} on`;
    const paths = located.map(({ asked }) => oneLine(displayPath(asked, cwd))).join(", ");
    return {
      key: [tool, nativeName, ...located.flatMap(({ asked, real }) => [asked, ...real])].join("\n"),
      label: `${what} ${paths}`,
    };
  }
  const name = mcp === undefined ? nativeName : `${mcp.server}: ${mcp.tool}`;
  return { key: `tool ${nativeName} ${mcp?.server ?? ""}`, label: `the tool ${name}` };
}

export const sessionOption = "always";

/** Options of a request that Reins itself makes about a call. */
export function optionsForGrant({ label }: Grant): PermissionOption[] {
  const always = `Always allow ${label} in this session`;
  return [
    { id: "allow", kind: "allow_once", label: "Allow", scope: "once" },
    { id: sessionOption, kind: "allow_always", label: always, scope: "session", rule: label },
    { id: "deny", kind: "reject_once", label: "Deny", scope: "once" },
    { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" },
  ];
}
