import { useState } from "react";
import { refreshAgents, useAgents } from "../state/agents.ts";
import { sentenceOf } from "../state/api.ts";
import { Button } from "../ui/button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { AgentCard } from "./agent-card.tsx";
import { AnotherAgent } from "./another-agent.tsx";
import "./panels.css";
import "./pages.css";

/** The agents of this machine: which can take a prompt, and what the others still need. */
export function AgentsPage() {
  const { agents, loading, error } = useAgents();
  const [asking, setAsking] = useState(false);
  const again = (): void => {
    setAsking(true);
    void refreshAgents().finally(() => setAsking(false));
  };
  const ready = agents.filter((agent) => agent.ready);
  const others = agents.filter((agent) => !agent.ready && agent.family !== true);
  return (
    <>
      <div className="page-lead">
        <p>
          An agent does the work; a session can be handed from one to another. Those that are ready can be chosen for a
          prompt.
        </p>
        <Button icon="refresh" busy={asking} onClick={again}>
          Look again
        </Button>
      </div>
      {error !== undefined && <p role="alert">{sentenceOf(error)}</p>}
      {loading && agents.length === 0 && (
        <p className="page-busy">
          <Spinner /> Looking at what is installed …
        </p>
      )}
      {ready.length > 0 && (
        <section aria-label="Ready" className="cards">
          <h2>Ready</h2>
          {ready.map((agent) => (
            <AgentCard key={agent.id} agent={agent} />
          ))}
        </section>
      )}
      {others.length > 0 && (
        <section aria-label="Not ready yet" className="cards">
          <h2>Not ready yet</h2>
          {others.map((agent) => (
            <AgentCard key={agent.id} agent={agent} />
          ))}
        </section>
      )}
      {agents.length > 0 && <AnotherAgent />}
    </>
  );
}
