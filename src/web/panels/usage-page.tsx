import { useState } from "react";
import type { Usage } from "../../core/api.ts";
import { count } from "../../view/labels.ts";
import { dollars, moment, tokens, until, useNow } from "../format/format.ts";
import { useAgentNames } from "../state/agents.ts";
import { useRemote } from "../state/remote.ts";
import { navigate } from "../state/route.ts";
import { Button, Empty, Facts, Icon, Pending, Table } from "../ui/basics.tsx";
import { Select } from "../ui/select.tsx";
import { LimitLine } from "./limit-line.tsx";
import { byDay, byModel, costWords, since, total, type DaySum } from "./usage-sums.ts";
import "./panels.css";
import "./pages.css";

/** A bar for each day: by cost, or by turns when nothing had a cost. */
function UsageDays({ days }: { readonly days: readonly DaySum[] }) {
  const byCost = days.some(({ costUsd }) => costUsd > 0);
  const valueOf = (day: DaySum): number => (byCost ? day.costUsd : day.turns);
  const most = Math.max(...days.map(valueOf), 0);
  if (most === 0) return null;
  const dearest = days.find((day) => valueOf(day) === most);
  const words = byCost ? dollars(most) : count(most, "turn");
  const label = `${byCost ? "Cost" : "Turns"} by day; the most was ${words} on ${dearest?.day ?? ""}`;
  return (
    <figure className="usage-days">
      <svg viewBox={`0 0 ${days.length * 10} 60`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map((day, index) => (
          <rect
            key={day.day}
            x={index * 10 + 1}
            width={8}
            y={60 - Math.max(1, (58 * valueOf(day)) / most)}
            height={Math.max(1, (58 * valueOf(day)) / most)}
            className={valueOf(day) === 0 ? "none" : undefined}
          >
            <title>{`${day.day}: ${costWords(day)}, ${count(day.turns, "turn")}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{days[0]?.day}</span>
        <span>
          {byCost ? "Cost" : "Turns"} by day, at most {words}
        </span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}

const spans = [
  { value: "1", label: "Today" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "365", label: "The last year" },
] as const;
type Span = (typeof spans)[number]["value"];

export function UsagePage() {
  const [span, setSpan] = useState<Span>("30");
  const [begin] = useState(Date.now);
  const { value: usage, error } = useRemote<Usage>(`/api/usage?since=${since(Number(span), begin)}`);
  const nameOf = useAgentNames();
  if (usage === undefined) return <Pending error={error} words="Loading usage…" />;
  const { rows, limits, down } = usage;
  const all = total(rows);
  return (
    <>
      <div className="page-lead">
        <p>
          Usage of all agents on this machine through Reins. Costs are reported by the agents or computed from list
          prices; “unknown” costs are not included in any sum.
        </p>
        <Select label="Period" value={span} options={spans} onChange={setSpan} align="end" />
      </div>
      <Down down={down} nameOf={nameOf} />
      {rows.length === 0 ? (
        <Empty
          icon="usage"
          title="No usage in this period"
          actions={<Button onClick={() => navigate("/new")}>New session</Button>}
        >
          <p>Tokens and cost appear here after a turn, by agent and by model. Not every agent reports them.</p>
        </Empty>
      ) : (
        <>
          <Facts
            className="total"
            facts={[
              ["Cost", costWords(all)],
              ["Turns", all.turns],
              ["Input tokens", tokens(all.tokensIn)],
              ["Output tokens", tokens(all.tokensOut)],
            ]}
          />
          {Number(span) > 1 && Number(span) < 90 && (
            <UsageDays days={byDay(rows, Number(span), new Date().toISOString().slice(0, 10))} />
          )}
          <section aria-label="By agent and model">
            <h2>By agent and model</h2>
            <Table
              stacks
              label="By agent and model"
              columns={["Agent", "Model", "#Turns", "#Input", "#Output", "#Time", "#Cost"]}
              rows={byModel(rows).map((sum) => ({
                key: `${sum.agent} ${sum.model}`,
                cells: [
                  nameOf(sum.agent),
                  <bdi key="model">{sum.model === "" ? "unknown" : sum.model}</bdi>,
                  ...[sum.turns, tokens(sum.tokensIn), tokens(sum.tokensOut), timeOf(sum.seconds), costWords(sum)],
                ],
              }))}
            />
          </section>
        </>
      )}
      <section aria-label="Plan limits" className="cards">
        <h2>Plan limits</h2>
        {limits.length === 0 && (
          <p className="quiet-words">Plan limits and their reset times appear here. Not every agent reports them.</p>
        )}
        {[...new Set(limits.map(({ agent }) => agent))].map((agent) => (
          <article key={agent} className="card" aria-label={nameOf(agent)}>
            <h3>{nameOf(agent)}</h3>
            {limits
              .filter((limit) => limit.agent === agent)
              .map((limit) => (
                <LimitLine key={limit.window} limit={limit} />
              ))}
          </article>
        ))}
      </section>
    </>
  );
}

/** Agents that are not used for a while after a failure. */
function Down({ down, nameOf }: Pick<Usage, "down"> & { readonly nameOf: (id: string) => string }) {
  const now = useNow();
  return down.map(({ key, until: end, reason }) => (
    <p key={key} className="warn-line">
      <Icon name="warn" />
      <span>
        {nameOf(key)} is paused until {moment(end)} ({until(end, now) ?? "now"}): {reason}
      </span>
    </p>
  ));
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
