/** What comes of a call over ACP, where Cursor says it in its own way. */
import type { AcpQuirks } from "../../../drivers/acp/index.ts";
import { firstText, isRecord } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";

/** What was rejected, by its own rules too, is reported as completed. */
export const undone: NonNullable<AcpQuirks["undone"]> = ({ rejected, permissionDenied, error }) => {
  for (const denied of [rejected, permissionDenied]) {
    if (denied !== true && !isRecord(denied)) continue;
    const reason = isRecord(denied) ? firstText(denied["reason"], denied["error"]) : undefined;
    return { message: reason ?? "It was not allowed.", reason: "denied" };
  }
  const said = isRecord(error) ? firstText(error["message"], error["errorMessage"], error["error"]) : firstText(error);
  return said === undefined && !isRecord(error) ? undefined : { message: said ?? "It failed.", reason: "error" };
};

/** The lines above the hunks of a patch, of which the first characters were taken for marks. */
const [before, after] = [/^-- (?:a\/.*|\/dev\/null)(?:\n|$)/, /^\+\+ (?:b\/.*|\/dev\/null)(?:\n|$)/];

export function plainDiffs(items: readonly Wire[]): Wire[] {
  return items.map((item) => {
    const { type, oldText, newText } = item;
    if (type !== "diff" || typeof oldText !== "string" || typeof newText !== "string") return item;
    // Only together: a file may well begin with such a line.
    if (!before.test(oldText) || !after.test(newText)) return item;
    const old = oldText.startsWith("-- /dev/null") ? undefined : oldText.replace(before, "");
    return { ...item, oldText: old, newText: newText.replace(after, "") };
  });
}
