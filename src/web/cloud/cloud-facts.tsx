import { oneLine } from "../../events/printable.ts";
import type { CloudAgentAnswer } from "../../server/schemas/cloud.ts";
import { safeAddress } from "../../view/markdown/index.ts";
import { moment } from "../format/when.ts";
import { useAgents } from "../state/agents.ts";
import { Badge, type Tone } from "../ui/badge.tsx";

const tones: Readonly<Record<CloudAgentAnswer["status"], Tone>> = {
  working: "accent",
  idle: "good",
  archived: "neutral",
  failed: "bad",
  unknown: "neutral",
};

export function CloudFacts({ agent, work }: { readonly agent: string; readonly work: CloudAgentAnswer }) {
  const { agents } = useAgents();
  const name = agents.find(({ id }) => id === agent)?.name ?? agent;
  return (
    <section className="card" aria-label="About it">
      <header>
        <h2 dir="auto">{oneLine(work.name ?? "") || work.id}</h2>
        <Badge tone={tones[work.status]}>{work.status}</Badge>
      </header>
      <dl className="facts">
        <Fact label="Agent">{name}</Fact>
        {work.repositories.map((repository) => (
          <Fact key={repository} label="Repository">
            <Address address={repository} />
          </Fact>
        ))}
        {work.branches.map(({ branch, pullRequest }, index) => (
          <Fact key={index} label={pullRequest === undefined ? "Branch" : "Pull request"}>
            <Address address={pullRequest ?? branch ?? ""} />
          </Fact>
        ))}
        {work.updatedAt !== undefined && <Fact label="Last change">{moment(work.updatedAt)}</Fact>}
        {work.url !== undefined && (
          <Fact label="At the service">
            <Address address={work.url} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link where it is an address of the web, else the words. */
function Address({ address }: { readonly address: string }) {
  const href = safeAddress(address);
  return href === undefined ? (
    <bdi>{oneLine(address)}</bdi>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {href.replace(/^https?:\/\//, "")}
    </a>
  );
}
