/** Boxes of the slash commands about records: usage, and the rules of a folder. */
import { columnsOf, padColumns } from "../../events/columns.ts";
import { oneLine } from "../../events/printable.ts";
import { count, duration, limitName } from "../labels.ts";
import { blank, box, line, part, said, type Box, type BoxLine, type BoxStyle } from "./box.ts";

export interface UsageFacts {
  readonly rows: readonly {
    readonly agent: string;
    readonly turns: number;
    readonly tokens: { readonly input: number; readonly output: number };
    readonly costUsd?: number | undefined;
    /** Number of turns without a known price. */
    readonly unpriced?: number | undefined;
  }[];
  readonly limits: readonly {
    readonly agent: string;
    readonly window: string;
    readonly status: "ok" | "warning" | "reached";
    readonly usedPercent?: number | undefined;
    readonly resetsAt?: string | undefined;
    readonly updatedAt: string;
  }[];
  /** Agents and models that are known to be down, until a time in milliseconds. */
  readonly down: readonly { readonly key: string; readonly until: number; readonly reason: string }[];
}

/** `days` is the number of days that the rows cover. */
export function usageBox({ rows, limits, down }: UsageFacts, { days, now }: { days: number; now: number }): Box {
  const agents = [...new Set(rows.map(({ agent }) => agent))].toSorted();
  const width = Math.max(0, ...[...rows, ...limits].map(({ agent }) => columnsOf(oneLine(agent))));
  const name = (agent: string) => part(`${padColumns(oneLine(agent), width)}  `);
  const used = agents.map((agent): BoxLine => {
    const of = rows.filter((row) => row.agent === agent);
    const sum = (value: (row: UsageFacts["rows"][number]) => number): number =>
      of.reduce((total, row) => total + value(row), 0);
    const cost = sum((row) => row.costUsd ?? 0);
    const tokens = `${grouped(sum((row) => row.tokens.input))} in, ${grouped(sum((row) => row.tokens.output))} out`;
    const price = cost > 0 ? `$${cost.toFixed(2)}` : "";
    const unknown = sum((row) => row.unpriced ?? 0) > 0 ? "cost unknown" : "";
    const words = [
      count(
        sum((row) => row.turns),
        "turn",
      ),
      tokens,
      price,
      unknown,
    ].filter((word) => word !== "");
    return [name(agent), part(words.join(" · "))];
  });
  const current = limits.filter((limit) => limitHolds(limit, now));
  const windows = current.map(({ agent, window, status, usedPercent, resetsAt }): BoxLine => {
    const percent = usedPercent === undefined ? status : `${Math.round(usedPercent)} % used`;
    const words = status === "reached" ? "used up" : percent;
    return [
      name(agent),
      part(limitName(window)),
      part(`  ${words}`, limitStyles[status]),
      part(resetWords(resetsAt, now), "dim"),
    ];
  });
  const broken = down
    .filter(({ until }) => until > now)
    .map(({ key, until, reason }): BoxLine => [
      part("✗ ", "error"),
      said(key),
      part(`  ${oneLine(reason)} (retry in ${duration(until - now)})`, "dim"),
    ]);
  return box("Usage", [
    line(days === 1 ? "Today" : `The last ${days} days`, "bold"),
    ...(used.length === 0 ? [line("No usage yet.", "dim")] : used),
    ...(windows.length === 0 ? [] : [blank, line("Limits", "bold"), ...windows]),
    ...(broken.length === 0 ? [] : [blank, line("Not available", "bold"), ...broken]),
  ]);
}

const limitStyles: Readonly<Record<UsageFacts["limits"][number]["status"], BoxStyle>> = {
  ok: "success",
  warning: "warning",
  reached: "error",
};

const dayMs = 86_400_000;

/** Returns whether the last reading of a limit still holds. A limit without a reset time expires after a day. */
export function limitHolds(
  { resetsAt, updatedAt }: Pick<UsageFacts["limits"][number], "resetsAt" | "updatedAt">,
  now: number,
): boolean {
  return resetsAt === undefined ? now - Date.parse(updatedAt) < dayMs : Date.parse(resetsAt) > now;
}

function resetWords(resetsAt: string | undefined, now: number): string {
  if (resetsAt === undefined) return "";
  const minutes = Math.ceil((Date.parse(resetsAt) - now) / 60_000);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `  resets in ${Math.floor(hours / 24)} days`;
  return hours === 0 ? `  resets in ${minutes} min` : `  resets in ${hours} h ${minutes % 60} min`;
}

function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

export interface PolicyFacts {
  readonly rules: readonly {
    readonly number: number;
    /** The rule in one line. */
    readonly said: string;
    readonly source: "call" | "project" | "answer" | "person";
    readonly file?: string | undefined;
    /** Why the rule never takes effect. */
    readonly note?: string | undefined;
  }[];
  readonly remarks: readonly string[];
}

/** Labels for the source of a rule, also used by `reins policy list`. */
export const ruleSources: Readonly<Record<PolicyFacts["rules"][number]["source"], string>> = {
  call: "the call",
  project: "the project",
  answer: "your answer",
  person: "you",
};

/** The rules in the order in which they are tried. */
export function policyBox({ rules, remarks }: PolicyFacts, mode?: string): Box {
  const rows = rules.flatMap(({ number, said: rule, source, file, note }): readonly BoxLine[] => {
    const from = ruleSources[source] + (file === undefined || source === "answer" ? "" : `, ${oneLine(file)}`);
    const row: BoxLine = [part(`${number}. `, "dim"), said(rule), part(`  ${from}`, "dim")];
    return note === undefined ? [row] : [row, [part("   → it has no effect: ", "warning"), said(note)]];
  });
  const none = [line("There are no rules. The mode and your answers decide.", "dim")];
  return box("Policy", [
    ...(mode === undefined ? [] : [[part("Mode  ", "dim"), said(mode)], blank]),
    ...(rows.length === 0 ? none : rows),
    ...remarks.flatMap((remark) => [blank, [said(remark, "warning")]]),
  ]);
}
