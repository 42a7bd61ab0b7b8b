import { useModels } from "../state/agents.ts";
import { tokens } from "../conversation/amounts.ts";
import { Badge } from "../ui/badge.tsx";
import { Spinner } from "../ui/spinner.tsx";

export function AgentModels({ agent }: { readonly agent: string }) {
  const { models, loading } = useModels(agent);
  if (loading)
    return (
      <p className="page-busy">
        <Spinner /> Asking the agent …
      </p>
    );
  if (models.length === 0)
    return <p className="quiet-words">It does not say which models it has. Any name can be typed.</p>;
  return (
    <ul className="model-list">
      {models.map((model) => (
        <li key={model.id}>
          <span className="model-name">
            <bdi>{model.label ?? model.id}</bdi>
            {(model.default === true || model.current === true) && <Badge tone="accent">default</Badge>}
          </span>
          <small>
            {[
              model.label === undefined || model.label === model.id ? undefined : model.id,
              model.provider,
              model.contextSize === undefined ? undefined : `${tokens(model.contextSize)} tokens`,
              model.description,
            ]
              .filter((part) => part !== undefined)
              .join(" · ")}
          </small>
        </li>
      ))}
    </ul>
  );
}
