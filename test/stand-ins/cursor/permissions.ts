/**
 * Decides what may run without asking, by the rules of the settings: `Shell(cmd)`, `Write(glob)`, `WebFetch(domain)`, `Mcp(server:tool)`.
 * A denial wins.
 */
import { relative } from "node:path";
import { textOf, type LoopCall } from "../agent-loop/index.ts";
import type { Rules } from "./config.ts";

export interface Wanted {
  readonly kind: "Shell" | "Read" | "Write" | "WebFetch" | "WebSearch" | "Mcp";
  /** All of them must be allowed. */
  readonly what: readonly string[];
}

export function wantedBy({ name, input }: LoopCall, cwd: string): Wanted | undefined {
  const path = [relative(cwd, textOf(input["path"])) || "."];
  switch (name) {
    case "run_terminal_cmd":
      return { kind: "Shell", what: commandsIn(textOf(input["command"])) };
    case "read_file":
      return { kind: "Read", what: path };
    case "write_file":
    case "edit_file":
    case "delete_file":
      return { kind: "Write", what: path };
    case "web_fetch":
      return { kind: "WebFetch", what: [hostOf(textOf(input["url"]))] };
    case "web_search":
      return { kind: "WebSearch", what: [textOf(input["query"])] };
    case "call_mcp_tool":
      return { kind: "Mcp", what: [`${textOf(input["server"])}:${textOf(input["tool"])}`] };
    default:
      return undefined;
  }
}

export function ruling(wanted: Wanted, rules: Rules): "allow" | "deny" | undefined {
  const holds = (list: readonly string[], what: string): boolean =>
    list.some((rule) => matches(rule, wanted.kind, what));
  if (wanted.what.some((what) => holds(rules.deny, what))) return "deny";
  return wanted.what.length > 0 && wanted.what.every((what) => holds(rules.allow, what)) ? "allow" : undefined;
}

export const rulesFrom = ({ kind, what }: Wanted): string[] => what.map((one) => `${kind}(${firstWord(kind, one)})`);

const firstWord = (kind: Wanted["kind"], what: string): string =>
  kind === "Shell" ? (what.split(" ")[0] ?? "") : what;

/** The commands of a line, split roughly as a shell would. */
export const commandsIn = (line: string): string[] =>
  line.split(/[;&|\n]+/).flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));

function matches(rule: string, kind: string, what: string): boolean {
  const [, name, inside = ""] = /^(\w+)\((.*)\)$/.exec(rule) ?? [];
  if (name !== kind) return false;
  if (kind !== "Shell") return glob(inside).test(what);
  const [command = "", args] = inside.split(/:(.*)/s);
  const [first = "", ...rest] = what.split(/\s+/);
  return glob(command).test(first) && (args === undefined || glob(args).test(rest.join(" ")));
}

const glob = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\*+/g, ".*")}$`, "s");

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return url;
  }
}
