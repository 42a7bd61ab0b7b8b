/** What came of each file, for a person: one line each, and below it what is wrong. */
import { kinds } from "./files.ts";
import type { FileReport } from "./translate.ts";

export function reportOf(reports: readonly FileReport[]): {
  readonly lines: readonly string[];
  readonly failed: boolean;
} {
  if (reports.length === 0)
    return { lines: [`There is no recorded stream (${kinds.join(", ")}) in it.`], failed: true };
  const translated = reports.filter((report) => report.outcome === "translated");
  const broken = translated.filter((report) => report.broken.length > 0).length;
  const unreadable = reports.filter((report) => report.outcome === "unreadable").length;
  const sums = [
    `${translated.length} of ${reports.length} files translated`,
    `${translated.reduce((sum, { events }) => sum + events, 0)} events`,
    // Where nothing was translated nothing was shown to hold.
    ...(translated.length === 0 ? [] : [broken === 0 ? "every law held" : `laws broken in ${broken}`]),
    ...(unreadable === 0 ? [] : [`${unreadable} could not be read`]),
  ];
  const lines = [...reports.flatMap(linesOf), `${sums.join(", ")}.`];
  return { lines, failed: broken > 0 || unreadable > 0 || translated.length === 0 };
}

function linesOf(report: FileReport): string[] {
  const { file } = report;
  if (report.outcome === "left_out") return [`- ${file}: left out, ${report.why}`];
  if (report.outcome === "unreadable") return [`✘ ${file}: could not be read: ${report.why}`];
  const { wire, turns, events, notices, strange, broken } = report;
  const held = broken.length === 0;
  const laws = held ? "laws held" : "laws broken";
  return [
    `${held ? "✔" : "✘"} ${file}: ${wire}, ${turns} turns, ${events} events, ${notices} notices, ${laws}`,
    ...broken.map((sentence) => `    broken: ${sentence}`),
    ...strange.map((sentence) => `    not understood: ${sentence}`),
  ];
}
