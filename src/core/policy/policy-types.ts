/** Public types of the permission rules of a folder. */
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { Rule, Source } from "./rule.ts";

/** The permission rules that apply in a folder. */
export interface PolicyView {
  readonly cwd: string;
  /** In the order of evaluation: the first matching rule decides. */
  readonly rules: readonly ListedRule[];
  /** Sentences about ignored or ineffective rules. */
  readonly remarks: readonly string[];
  /** Returns what would be decided about a call, and why, without running anything. */
  test(call: TriedCall): Promise<PolicyTrial>;
  /** Removes a saved "always" answer of the user. */
  remove(number: number): Promise<ListedRule>;
}

/** A rule with its origin. */
export interface ListedRule {
  /** Number of the rule, from 1, in the order of evaluation. */
  readonly number: number;
  /** The rule in one line: `deny shell rm -rf *`. */
  readonly said: string;
  readonly rule: Rule;
  readonly source: Source;
  /** The file that contains the rule. */
  readonly file?: string | undefined;
  /** Why the rule can never have an effect. Missing when it can. */
  readonly note?: string | undefined;
}

/** A tool call to test against the rules. */
export interface TriedCall {
  readonly tool: Tool;
  /** Input as an agent would give it: `{ command }`, `{ path }`, `{ url }`. */
  readonly input: unknown;
  readonly mcp?: { readonly server: string; readonly tool: string } | undefined;
  /** Agent id. Without it only rules for all agents apply. */
  readonly agent?: string | undefined;
  /** Default: the configured mode. */
  readonly mode?: Mode | undefined;
}

/** Result of testing a call. */
export interface PolicyTrial {
  readonly decision: "allow" | "deny" | "ask";
  readonly by: "rule" | "mode";
  readonly rule?: ListedRule | undefined;
  /** The explanation in one line. */
  readonly why: string;
}
