import type { ComparisonEntry, EntryState } from "../../server/schemas/comparisons.ts";
import { Badge, type Tone } from "../ui/badge.tsx";

const states: Readonly<Record<EntryState, { readonly label: string; readonly tone: Tone }>> = {
  running: { label: "working", tone: "accent" },
  waiting: { label: "waits for you", tone: "warn" },
  done: { label: "done", tone: "good" },
  cancelled: { label: "cancelled", tone: "neutral" },
  refused: { label: "refused", tone: "bad" },
  max_tokens: { label: "out of tokens", tone: "warn" },
  max_turns: { label: "out of turns", tone: "warn" },
  budget: { label: "out of budget", tone: "warn" },
  interrupted: { label: "interrupted", tone: "bad" },
  failed: { label: "failed", tone: "bad" },
  gone: { label: "did not begin", tone: "bad" },
};

export function StateBadge({ entry }: { readonly entry: ComparisonEntry }) {
  if (entry.kept !== undefined) return <Badge tone="accent">kept</Badge>;
  const { label, tone } = states[entry.state];
  return <Badge tone={tone}>{entry.state === "gone" && entry.session !== undefined ? "gone" : label}</Badge>;
}
