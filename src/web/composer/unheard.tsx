import type { AgentAnswer } from "../../server/schemas/agents.ts";
import type { Attachments } from "./use-attachments.ts";

interface UnheardProps {
  readonly agent: AgentAnswer | undefined;
  readonly attachments: Attachments;
}

/** Said before it is sent: what the agent will not see. */
export function Unheard({ agent, attachments }: UnheardProps) {
  const can = agent?.capabilities;
  if (can === undefined) return null;
  const images = !can.images && attachments.all.some(({ isImage }) => isImage);
  const files = !can.files && attachments.all.some(({ isImage }) => !isImage);
  if (!images && !files) return null;
  const what = [images && "images", files && "files"].filter((word) => word !== false).join(" and ");
  return (
    <p className="composer-warning" role="status">
      {agent?.name} takes no {what}; it goes on without.
    </p>
  );
}
