import { useAgents } from "../state/agents.ts";

export function AgentsPage() {
  const { agents } = useAgents();
  return (
    <div className="page">
      <h1>Agents</h1>
      <ul>
        {agents.map((agent) => (
          <li key={agent.id}>{agent.name}</li>
        ))}
      </ul>
    </div>
  );
}
