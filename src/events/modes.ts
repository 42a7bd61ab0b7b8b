/**
 * How much an agent may do without asking.
 * - `read`: only reads
 * - `plan`: only reads, and proposes a plan for approval
 * - `ask`: asks before anything with side effects (the default)
 * - `edits`: edits files without asking and asks before everything else
 * - `full`: never asks
 */
export const modes = ["read", "plan", "ask", "edits", "full"] as const;
/** A mode: one of `modes`. */
export type Mode = (typeof modes)[number];
