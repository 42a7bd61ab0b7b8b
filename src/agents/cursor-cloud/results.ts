/** What a tool gave, as the service tells it: one of `success`, `failure`, `error`, `rejected`, or something of its own. */
import { isRecord, list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export interface Result {
  readonly ok: boolean;
  /** Nobody allowed it. */
  readonly rejected: boolean;
  readonly text: string;
  readonly exitCode: number | undefined;
  /** What came of it, in the service's fields. */
  readonly fields: Wire;
}

const bad = ["failure", "error", "rejected", "permissionDenied", "timeout", "fileNotFound"] as const;

export function resultOf(result: unknown): Result {
  const wire = record(result);
  const failed = bad.find((name) => wire[name] !== undefined);
  const inner = failed === undefined ? (wire["success"] ?? result) : wire[failed];
  const fields = record(inner);
  const exitCode = number(fields["exitCode"]) ?? number(fields["exit_code"]);
  return {
    ok: failed === undefined && (exitCode ?? 0) === 0,
    rejected: failed === "rejected" || failed === "permissionDenied",
    text: wordsOf(inner),
    exitCode,
    fields,
  };
}

const texts = ["content", "output", "message", "error", "reason", "text", "result", "answer"] as const;

function wordsOf(inner: unknown): string {
  if (typeof inner === "string") return inner;
  if (inner === undefined || inner === null) return "";
  if (!isRecord(inner)) return JSON.stringify(inner);
  const both = [text(inner["stdout"]), text(inner["stderr"])].filter((part) => part !== undefined).join("");
  if (both !== "" || "stdout" in inner) return both;
  for (const name of texts) {
    const found = inner[name];
    if (typeof found === "string") return found;
    const parts = list(found).flatMap(
      (part) => text(part) ?? text(record(part)["text"]) ?? text(record(record(part)["text"])["text"]) ?? [],
    );
    if (parts.length > 0) return parts.join("\n");
  }
  return JSON.stringify(inner);
}
