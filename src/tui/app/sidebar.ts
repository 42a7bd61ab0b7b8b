/**
 * The sidebar of the full screen: tool activity, plan, changed files, and requests of other sessions. The inline screen shows them as
 * rows.
 */
import { oneLine } from "../../events/printable.ts";
import { changeWords, count } from "../../view/labels.ts";
import type { FileChange, Item, PlanItem, ToolItem } from "../../view/model.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import type { SessionView } from "./session-view.ts";
import { contextWords } from "./status-bar.ts";

export const sidebarWidth = 36;

const activityKinds = ["read", "write", "shell", "MCP", "other"] as const;
type ActivityKind = (typeof activityKinds)[number];

export interface SessionFacts {
  readonly activity: Readonly<Partial<Record<ActivityKind, number>>>;
  readonly plan: PlanItem | undefined;
  readonly files: ReadonlyMap<string, FileChange>;
}

function kindOf({ toolKind, tool }: ToolItem): ActivityKind {
  if (tool === "mcp") return "MCP";
  if (toolKind === "execute") return "shell";
  if (toolKind === "edit" || toolKind === "delete" || toolKind === "move") return "write";
  return toolKind === "read" || toolKind === "search" ? "read" : "other";
}

/** The sum over the finished turns at the start; only later turns are read again. */
interface Counted {
  readonly entries: number;
  readonly facts: SessionFacts;
}

const counted = new WeakMap<SessionView["conversation"], Counted>();

/** Finished turns at the end that are read again: an agent may report a change late. */
const alwaysRead = 8;

/** Item kinds that the facts are computed from. */
const counts: ReadonlySet<Item["kind"]> = new Set(["plan", "file", "tool"]);

function factsOf(items: readonly Item[]): SessionFacts {
  const activity: Partial<Record<ActivityKind, number>> = {};
  const files = new Map<string, FileChange>();
  let plan: PlanItem | undefined;
  const walk = (item: Item): void => {
    if (item.kind === "plan") plan = item;
    if (item.kind === "file") files.set(item.path, item);
    if (item.kind !== "tool") return;
    const kind = kindOf(item);
    activity[kind] = (activity[kind] ?? 0) + 1;
    for (const change of item.files) files.set(change.path, change);
    for (const inner of item.items) walk(inner);
  };
  for (const item of items) walk(item);
  return { activity, plan, files };
}

function sum(one: SessionFacts, other: SessionFacts): SessionFacts {
  const activity: Partial<Record<ActivityKind, number>> = { ...one.activity };
  for (const kind of activityKinds)
    if (other.activity[kind] !== undefined) activity[kind] = (activity[kind] ?? 0) + other.activity[kind];
  const files = other.files.size === 0 ? one.files : new Map([...one.files, ...other.files]);
  return { activity, plan: other.plan ?? one.plan, files };
}

export function sessionFacts({ conversation }: Pick<SessionView, "conversation">): SessionFacts {
  const { entries } = conversation;
  let over = counted.get(conversation) ?? { entries: 0, facts: { activity: {}, plan: undefined, files: new Map() } };
  const before = over.entries;
  for (let at = over.entries; at < entries.length - alwaysRead; at++) {
    const entry = entries[at]!;
    if (entry.kind === "turn" && entry.end === undefined) break;
    const hasFacts = entry.kind === "turn" && entry.items.some(({ kind }) => counts.has(kind));
    over = { entries: at + 1, facts: hasFacts ? sum(over.facts, factsOf(entry.items)) : over.facts };
  }
  if (over.entries !== before) counted.set(conversation, over);
  let { facts } = over;
  for (let at = over.entries; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.kind === "turn") facts = sum(facts, factsOf(entry.items));
  }
  return facts;
}

const planMarks = { completed: "✓", in_progress: "●", pending: "○", cancelled: "−" } as const;
const mostFiles = 12;

/** Nothing is shown before the first turn while no other session is open. */
export function hasFacts({
  active,
  views,
}: {
  readonly active: SessionView;
  readonly views: readonly unknown[];
}): boolean {
  return views.length > 1 || active.conversation.entries.length > 0;
}

/** `above`: rows before everything else. */
export function sidebar(
  view: Pick<SessionView, "conversation">,
  others: readonly SessionView[],
  theme: Theme,
  above: readonly Line[] = [],
): readonly Line[] {
  const facts = sessionFacts(view);
  const lines: Line[] = [...above];
  const section = (title: string, rows: readonly Line[]): void => {
    if (rows.length === 0) return;
    if (lines.length > 0) lines.push({ text: "" });
    lines.push({ text: theme.bold(title), wrap: "cut" }, ...rows);
  };
  const cut = (text: string): Line => ({ text, wrap: "cut" });
  const waiting = others.filter(({ state }) => state === "waiting");
  section(
    "Waiting for an answer",
    waiting.map((view) => cut(theme.warning(`● ${oneLine(view.name)}`))),
  );
  section("Session", spent(view.conversation).map(cut));
  section(
    "Activity",
    activityKinds.flatMap((kind) =>
      facts.activity[kind] === undefined ? [] : [cut(`${kind.padEnd(6)} ${facts.activity[kind]}`)],
    ),
  );
  section("Plan", planLines(facts.plan, theme));
  const changes = [...facts.files.values()];
  section("Changed files", [
    ...changes.slice(-mostFiles).map((change) => cut(changeWords(change))),
    ...(changes.length > mostFiles ? [cut(theme.dim(`and ${changes.length - mostFiles} more: /diff`))] : []),
  ]);
  const running = others.filter(({ state }) => state === "running");
  section(
    "Other sessions",
    running.map((view) => cut(theme.dim(`● ${oneLine(view.name)}`))),
  );
  return lines;
}

function spent({ entries, context, usage }: SessionView["conversation"]): readonly string[] {
  const turns = entries.filter(({ kind }) => kind === "turn").length;
  if (turns === 0) return [];
  const cost = usage?.costUsd === undefined ? undefined : `$${usage.costUsd.toFixed(2)}`;
  return [count(turns, "turn"), contextWords(context), cost].filter((words) => words !== undefined);
}

export function planLines(plan: PlanItem | undefined, theme: Theme): readonly Line[] {
  return (plan?.entries ?? []).map(({ status, text }) => {
    const mark = planMarks[status as keyof typeof planMarks] ?? "○";
    const words = oneLine(text);
    const shown = status === "completed" ? theme.dim(words) : status === "in_progress" ? theme.bold(words) : words;
    return { prefix: `${status === "completed" ? theme.success(mark) : mark} `, indent: "  ", text: shown };
  });
}
