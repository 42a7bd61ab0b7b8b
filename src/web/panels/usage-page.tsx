import { useState } from "react";
import type { Usage } from "../../core/api.ts";
import { tokens } from "../conversation/amounts.ts";
import { useNow } from "../format/use-now.ts";
import { moment, until } from "../format/when.ts";
import { useAgents } from "../state/agents.ts";
import { sentenceOf } from "../state/api.ts";
import { navigate } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { LimitLine } from "./limit-line.tsx";
import { UsageDays } from "./usage-days.tsx";
import { useRemote } from "./use-remote.ts";
import { byDay, byModel, costWords, since, total } from "./usage-sums.ts";
import "./panels.css";
import "./pages.css";

const spans = [
  { value: "1", label: "Today" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "365", label: "The last year" },
] as const;
type Span = (typeof spans)[number]["value"];

/** What the agents used, what it cost, and what is left of their plans. */
export function UsagePage() {
  const [span, setSpan] = useState<Span>("30");
  const [begin] = useState(Date.now);
  const { value: usage, error } = useRemote<Usage>(`/api/usage?since=${since(Number(span), begin)}`);
  const { agents } = useAgents();
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  if (usage === undefined)
    return error === undefined ? (
      <p className="page-busy">
        <Spinner /> Adding it up …
      </p>
    ) : (
      <p role="alert">{sentenceOf(error)}</p>
    );
  const { rows, limits, down } = usage;
  const all = total(rows);
  return (
    <>
      <div className="page-lead">
        <p>
          What every agent used on this machine through Reins. Costs are as the agents tell them, or from a list of
          prices; what is “unknown” is in no sum.
        </p>
        <Select label="Time" value={span} options={spans} onChange={setSpan} align="end" />
      </div>
      <Down down={down} nameOf={nameOf} />
      {rows.length === 0 ? (
        <Empty
          icon="usage"
          title="Nothing was used in that time"
          actions={<Button onClick={() => navigate("/new")}>New session</Button>}
        >
          <p>
            After a turn its tokens and its cost are counted here, by agent and by model. Not every agent tells them.
          </p>
        </Empty>
      ) : (
        <>
          <dl className="total">
            <Figure label="Cost" value={costWords(all)} />
            <Figure label="Turns" value={String(all.turns)} />
            <Figure label="Tokens read" value={tokens(all.tokensIn)} />
            <Figure label="Tokens written" value={tokens(all.tokensOut)} />
          </dl>
          {Number(span) > 1 && Number(span) < 90 && (
            <UsageDays days={byDay(rows, Number(span), new Date().toISOString().slice(0, 10))} />
          )}
          <section aria-label="By agent and model">
            <h2>By agent and model</h2>
            <div className="table-frame" tabIndex={0} role="region" aria-label="By agent and model, table">
              <table className="table stacks">
                <thead>
                  <tr>
                    <th scope="col">Agent</th>
                    <th scope="col">Model</th>
                    {["Turns", "Read", "Written", "Time", "Cost"].map((label) => (
                      <th key={label} scope="col" className="number">
                        {label}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {byModel(rows).map((sum) => (
                    <tr key={`${sum.agent} ${sum.model}`}>
                      <td>{nameOf(sum.agent)}</td>
                      <td>
                        <bdi>{sum.model === "" ? "not told" : sum.model}</bdi>
                      </td>
                      <td className="number" data-label="Turns">
                        {sum.turns}
                      </td>
                      <td className="number" data-label="Read">
                        {tokens(sum.tokensIn)}
                      </td>
                      <td className="number" data-label="Written">
                        {tokens(sum.tokensOut)}
                      </td>
                      <td className="number" data-label="Time">
                        {timeOf(sum.seconds)}
                      </td>
                      <td className="number" data-label="Cost">
                        {costWords(sum)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        </>
      )}
      <section aria-label="Limits of the plans" className="cards">
        <h2>Limits of the plans</h2>
        {limits.length === 0 && (
          <p className="quiet-words">
            Agents that tell how much of a plan is left are listed here, with when it begins anew.
          </p>
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

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** What is not asked for a while, because it did not work. */
function Down({ down, nameOf }: Pick<Usage, "down"> & { readonly nameOf: (id: string) => string }) {
  const now = useNow();
  return down.map(({ key, until: end, reason }) => (
    <p key={key} className="warn-line">
      <Icon name="warn" />
      <span>
        {nameOf(key)} is left alone until {moment(end)} ({until(end, now) ?? "now"}): {reason}
      </span>
    </p>
  ));
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
