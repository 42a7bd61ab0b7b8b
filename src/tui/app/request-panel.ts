/** The permission that waits in the session on the screen, with everything that a person needs to decide. */
import { oneLine } from "../../events/printable.ts";
import type { Answer } from "../../view/answer-keys.ts";
import type { PermissionItem } from "../../view/model.ts";
import type { Line } from "../line.ts";
import { diffLines, inputLines, markdownLines, type Look } from "../transcript/index.ts";

export interface PermissionPanel {
  /** The question, the server, and the whole input: may be longer than the screen, and then scrolls. */
  readonly body: readonly Line[];
  /** The keys that answer. */
  readonly keys: Line;
}

export function permissionPanel(
  request: PermissionItem,
  answers: readonly Answer[],
  now: number,
  look: Look,
): PermissionPanel {
  const { theme } = look;
  const question = request.tool === "plan" ? "Approve this plan?" : `Allow ${oneLine(request.title)}?`;
  const left =
    request.deadline === undefined ? undefined : Math.max(0, Math.round((Date.parse(request.deadline) - now) / 1000));
  const time = left === undefined ? "" : theme.dim(`  denied in ${left} s`);
  const { mcp } = request;
  const server =
    mcp === undefined ? [] : [{ text: theme.dim(`MCP server ${oneLine(mcp.server)}, tool ${oneLine(mcp.tool)}`) }];
  return {
    body: [{ text: `${theme.bold(theme.warning(question))}${time}` }, ...server, ...details(request, look)],
    keys: { text: answers.map(({ key, label }) => `${theme.accent(key)} ${label}`).join(theme.dim(" · ")) },
  };
}

/** The diff of an edit, the plan, else the whole input. */
function details({ diff, input, tool }: PermissionItem, look: Look): readonly Line[] {
  if (diff !== undefined && diff !== "") return diffLines(diff, look);
  const plan = tool === "plan" ? (input as { readonly plan?: unknown } | null)?.plan : undefined;
  if (typeof plan === "string") return markdownLines(plan, { look, streaming: false }).lines;
  return inputLines(input, { ...look, expandAll: true });
}
