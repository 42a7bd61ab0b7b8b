import type { Conversation } from "../../view/model.ts";
import { dollars, tokens } from "../conversation/amounts.ts";
import { LimitLine } from "./limit-line.tsx";
import { Meter } from "./meter.tsx";

export function SessionUsage({ usage, context, limits }: Pick<Conversation, "usage" | "context" | "limits">) {
  const used = usage?.tokens;
  const rows = [
    ["Cost", usage?.costUsd === undefined ? undefined : dollars(usage.costUsd)],
    ["Read", used === undefined ? undefined : tokens(used.input)],
    ["Read from the cache", used?.cacheRead === undefined ? undefined : tokens(used.cacheRead)],
    ["Written to the cache", used?.cacheWrite === undefined ? undefined : tokens(used.cacheWrite)],
    ["Written", used === undefined ? undefined : tokens(used.output)],
    ["of it thinking", used?.thought === undefined ? undefined : tokens(used.thought)],
  ].filter((row): row is [string, string] => row[1] !== undefined);
  const size = context?.size;
  const full = context === undefined || size === undefined || size === 0 ? undefined : (100 * context.used) / size;
  return (
    <section aria-label="Usage">
      <h3>Usage</h3>
      {rows.length === 0 && context === undefined && (
        <p className="quiet-words">What the agent says about tokens and cost is shown here. Not every agent says it.</p>
      )}
      {rows.length > 0 && (
        <dl className="figures">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {context !== undefined && (
        <div className="limit-line">
          <div className="limit-words">
            <span>Context</span>
            <span className="limit-percent">
              {tokens(context.used)}
              {size !== undefined && ` of ${tokens(size)}`}
            </span>
          </div>
          {full !== undefined && <Meter label="Context, used" percent={full} tone={full > 85 ? "warn" : "normal"} />}
        </div>
      )}
      {limits.length > 0 && <h4>Limits of the plan</h4>}
      {limits.map((limit) => (
        <LimitLine key={limit.window} limit={limit} />
      ))}
    </section>
  );
}
