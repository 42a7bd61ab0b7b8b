import { useEffect, useState } from "react";
import { oneLine } from "../../events/printable.ts";
import type { CloudAgentAnswer, CloudPageAnswer } from "../../server/schemas/cloud.ts";
import { cloudBadge, repositoryName } from "../../view/cloud.ts";
import { moment } from "../format/format.ts";
import { useAgents } from "../state/agents.ts";
import { call } from "../state/server.ts";
import { Badge, Button, Empty, Pending } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { useDoing } from "../ui/dialog.tsx";
import { isCloudAgent } from "./use-cloud-sending.ts";
import "./cloud.css";

export function CloudBadge({ status }: { readonly status: string }) {
  const { label, tone } = cloudBadge(status);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The cloud agents of every account that is signed in. */
export function CloudLists() {
  const { agents, loading } = useAgents();
  const ready = agents.filter((agent) => agent.ready && isCloudAgent(agent));
  if (loading && agents.length === 0) return <Pending value={undefined} error={undefined} words="Loading agents…" />;
  if (ready.length === 0) {
    const help = agents.filter(isCloudAgent).map((agent) => `${agent.name}: ${agent.help?.replaceAll("`", "") ?? ""}`);
    return (
      <Empty icon="cloud" title="No cloud agent is ready">
        {help.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </Empty>
    );
  }
  return ready.map(({ id, name }) => <CloudList key={id} agent={id} name={name} />);
}

const pageSize = 20;

function CloudList({ agent, name }: { readonly agent: string; readonly name: string }) {
  const [listed, setListed] = useState<CloudPageAnswer>();
  const { busy, error, run } = useDoing();
  const load = (cursor?: string): void =>
    run(async () => {
      const query = new URLSearchParams({ limit: String(pageSize), ...(cursor !== undefined && { cursor }) });
      const page = await call<CloudPageAnswer>("GET", `/api/cloud/${encodeURIComponent(agent)}?${query.toString()}`);
      setListed((before) => (cursor === undefined || before === undefined ? page : withPage(before, page)));
    });
  // Load once; the Refresh button loads again.
  useEffect(() => load(), [agent]);
  return (
    <section className="card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <div className="card-actions">
          <Button look="quiet" size="small" icon="refresh" busy={busy} onClick={() => load()}>
            Refresh
          </Button>
        </div>
      </header>
      <Trouble text={error} />
      {listed?.agents.length === 0 && <p className="quiet-words">No cloud agents yet.</p>}
      <ul className="cloud-list">
        {listed?.agents.map((one) => (
          <li key={one.id}>
            <CloudRow agent={agent} one={one} />
          </li>
        ))}
      </ul>
      {listed?.cursor !== undefined && (
        <Button size="small" busy={busy} onClick={() => load(listed.cursor)}>
          Load more
        </Button>
      )}
    </section>
  );
}

/** Appends a page. Pages may overlap when agents were added in the meantime. */
export function withPage(before: CloudPageAnswer, page: CloudPageAnswer): CloudPageAnswer {
  const known = new Set(before.agents.map(({ id }) => id));
  return { agents: [...before.agents, ...page.agents.filter(({ id }) => !known.has(id))], cursor: page.cursor };
}

function CloudRow({ agent, one }: { readonly agent: string; readonly one: CloudAgentAnswer }) {
  const { id, name, status, repositories, updatedAt, createdAt } = one;
  const at = updatedAt ?? createdAt;
  const facts = [repositories[0] && repositoryName(repositories[0]), at && moment(at)].filter(Boolean);
  return (
    <a href={`#/cloud/${encodeURIComponent(agent)}/${encodeURIComponent(id)}`}>
      <CloudBadge status={status} />
      <span dir="auto">{oneLine(name ?? "") || id}</span>
      <small dir="auto">{facts.join(" · ")}</small>
    </a>
  );
}
