import { useState } from "react";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { useAgents } from "../state/agents.ts";
import { call } from "../state/api.ts";
import { knowSession, useSummary } from "../state/sessions.ts";
import { toast } from "../state/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { SessionDialogProps } from "./dialog-props.ts";
import { useDoing } from "../ui/use-doing.ts";

export function HandoffDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const { agents } = useAgents();
  const others = agents.filter((agent) => agent.id !== session?.agent);
  const ready = others.filter((agent) => agent.ready);
  const [to, setTo] = useState<string>();
  const chosen = to ?? ready[0]?.id;
  const { busy, error, run } = useDoing();
  const handOff = (): void =>
    run(async () => {
      const path = `/api/sessions/${encodeURIComponent(id)}/handoff`;
      knowSession(await call<SessionSummary>("POST", path, { to: chosen }));
      toast(`${agents.find((agent) => agent.id === chosen)?.name ?? chosen} goes on with it.`, "good");
      onClose();
    });
  return (
    <Dialog
      title="Hand it to another agent"
      onClose={onClose}
      error={error}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={chosen === undefined} onClick={handOff}>
            Hand off
          </Button>
        </>
      }
    >
      <p className="quiet-words">
        It gets a briefing of the conversation so far and works in the same folder. You can hand it back at any time.
      </p>
      <fieldset className="picks">
        <legend className="sr-only">To which agent</legend>
        {ready.map((agent) => (
          <label key={agent.id} className="pick">
            <input
              type="radio"
              name="agent"
              data-focus={agent.id === chosen || undefined}
              checked={agent.id === chosen}
              onChange={() => setTo(agent.id)}
            />
            <span className="pick-words">
              <span className="pick-name">{agent.name}</span>
              <small>{[agent.version, agent.signedInHow].filter((part) => part !== undefined).join(" · ")}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {ready.length === 0 && <p>No other agent is ready.</p>}
      {others.length > ready.length && (
        <p className="quiet-words">
          {others.length - ready.length === 1 ? "One more is" : `${others.length - ready.length} more are`} not ready:{" "}
          <a href="#/agents">what they need</a>.
        </p>
      )}
    </Dialog>
  );
}
