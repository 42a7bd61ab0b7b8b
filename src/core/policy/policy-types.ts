/** The rules that count in a folder, as callers see them. */
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { Rule, Source } from "./rule.ts";

export interface PolicyView {
  readonly cwd: string;
  /** In the order in which they are asked: the first that matches decides. */
  readonly rules: readonly ListedRule[];
  /** What has to be said about them. */
  readonly remarks: readonly string[];
  /** What would be decided, and why. Nothing is done. */
  test(call: TriedCall): Promise<PolicyTrial>;
  /** An answer of the person's counts no longer. */
  remove(number: number): Promise<ListedRule>;
}

export interface ListedRule {
  /** From 1. */
  readonly number: number;
  /** In one line. */
  readonly said: string;
  readonly rule: Rule;
  readonly source: Source;
  /** Where it stands. */
  readonly file?: string | undefined;
  /** Why it can never matter. */
  readonly note?: string | undefined;
}

export interface TriedCall {
  readonly tool: Tool;
  /** As an agent would give it: `{ command }`, `{ path }`, `{ url }`. */
  readonly input: unknown;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  /** An id; without it only rules for all agents count. */
  readonly agent?: string | undefined;
  /** Default: the configured one. */
  readonly mode?: Mode | undefined;
}

export interface PolicyTrial {
  readonly decision: "allow" | "deny" | "ask";
  readonly by: "rule" | "mode";
  readonly rule?: ListedRule | undefined;
  /** In one line. */
  readonly why: string;
}
