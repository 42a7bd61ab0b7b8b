/** `agent models`: a header, a line a model, a tip. Its names may hold zero-width spaces and brackets. */
import type { ModelInfo } from "../contract.ts";
import { linesOf } from "./output.ts";

const row = /^(?<id>[A-Za-z0-9._-]+) - (?<label>.*)$/;
/** ` (default)`, ` (current)`, ` (current, default)`. */
const marked = /\s*\((?<marks>(?:default|current)\b[^)]*)\)$/;

export function modelsIn(stdout: string): ModelInfo[] {
  return linesOf(stdout).flatMap((line): ModelInfo[] => {
    const { id, label = "" } = row.exec(line)?.groups ?? {};
    if (id === undefined) return [];
    const marks = marked.exec(label)?.groups?.["marks"] ?? "";
    const name = label.replace(marked, "").replaceAll("\u200B", "").replaceAll(/\s+/g, " ").trim();
    const is = (mark: string) => (marks.split(/[\s,]+/).includes(mark) ? true : undefined);
    return [{ id, label: name === "" ? undefined : name, default: is("default"), current: is("current") }];
  });
}
