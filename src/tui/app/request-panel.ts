/** The pending permission of the session on the screen, with everything that a person needs to decide. */
import { oneLine } from "../../events/printable.ts";
import type { Answer } from "../../view/answer-keys.ts";
import { inputParts } from "../../view/input-parts.ts";
import type { PermissionItem } from "../../view/model.ts";
import type { Line } from "../line.ts";
import { diffLines, fieldLines, inputLines, markdownLines, type Look } from "../transcript/index.ts";
import { styledColumns } from "../wrap.ts";

export interface PermissionPanel {
  readonly question: Line;
  /** The server and the complete input. Scrolls when it is longer than the screen. */
  readonly body: readonly Line[];
  /** The keys that answer, as many in a row as fit: an answer is never broken between two rows. */
  readonly keys: readonly Line[];
}

/** Leaves out the deadline: a request has none while a person is connected. */
export function permissionPanel(request: PermissionItem, answers: readonly Answer[], look: Look): PermissionPanel {
  const { theme } = look;
  const question = request.tool === "plan" ? "Approve this plan?" : `Allow ${oneLine(request.title)}?`;
  const { mcp } = request;
  const server =
    mcp === undefined ? [] : [{ text: theme.dim(`MCP server ${oneLine(mcp.server)}, tool ${oneLine(mcp.tool)}`) }];
  return {
    question: { text: theme.bold(theme.warning(question)) },
    body: detailsOnce(request, look, server),
    keys: keyLines(answers, look),
  };
}

function keyLines(answers: readonly Answer[], { theme, width }: Look): readonly Line[] {
  const rows: string[] = [];
  for (const { key, label } of answers) {
    const shown = `${theme.accent(key)} ${label}`;
    const joined = rows.length === 0 ? shown : `${rows.at(-1)!}${theme.dim(" · ")}${shown}`;
    if (rows.length > 0 && styledColumns(joined) <= width) rows[rows.length - 1] = joined;
    else rows.push(shown);
  }
  return rows.map((text) => ({ text }));
}

interface Made extends Pick<Look, "theme" | "width" | "highlight"> {
  readonly lines: readonly Line[];
}

const made = new WeakMap<PermissionItem, Made>();

/** Caches the lines: an input may have a megabyte, and a frame is drawn many times a second. */
function detailsOnce(request: PermissionItem, look: Look, before: readonly Line[]): readonly Line[] {
  const { theme, width, highlight } = look;
  const known = made.get(request);
  if (known?.theme === theme && known.width === width && known.highlight === highlight) return known.lines;
  const lines = [...before, ...details(request, look)];
  made.set(request, { theme, width, highlight, lines });
  return lines;
}

/** The diff, plan or command, followed by every other input field: a person can only agree to what is shown. */
function details({ diff, input, tool }: PermissionItem, shownLook: Look): readonly Line[] {
  const look = { ...shownLook, expandAll: true };
  const { subject, rest } = inputParts({ diff, input, tool });
  const others = Object.entries(rest).flatMap(([name, value]) => fieldLines(name, value, look));
  if (subject === "diff") return [...diffLines(diff!, look), ...others];
  if (subject === "plan") {
    const { plan } = input as { readonly plan: string };
    return [...markdownLines(plan, { look, streaming: false }).lines, ...others];
  }
  return [...inputLines(input, look), ...others];
}
