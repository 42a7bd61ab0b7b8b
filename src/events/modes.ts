/**
 * How much an agent may do without asking.
 * - `read`: looks only
 * - `plan`: looks, and proposes a plan for approval
 * - `ask`: asks before side effects (the default)
 * - `edits`: edits files without asking, asks for the rest
 * - `full`: asks nothing
 */
export const modes = ["read", "plan", "ask", "edits", "full"] as const;
export type Mode = (typeof modes)[number];
