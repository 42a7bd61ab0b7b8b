import type { CloudAgentAnswer } from "../../server/schemas/cloud.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import { useDoing } from "../ui/use-doing.ts";
import { call } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { knowSession } from "../state/sessions.ts";
import { toast } from "../state/toasts.ts";
import { Button } from "../ui/button.tsx";
import { forgetCloud } from "./cloud.ts";

interface CloudActionsProps {
  readonly agent: string;
  readonly work: CloudAgentAnswer;
  readonly path: string;
  readonly onChanged: () => void;
}

export function CloudActions({ agent, work, path, onChanged }: CloudActionsProps) {
  const me = useMe();
  const { busy, error, run } = useDoing();
  const told = (what: string, words: string) => (): void =>
    run(async () => {
      await call("POST", `${path}/${what}`);
      toast(words, "good");
      onChanged();
    });
  const goOn = (): void =>
    run(async () => {
      const made = await call<CreatedSession>("POST", "/api/sessions", { agent, resume: work.state });
      knowSession(made);
      forgetCloud(agent, work.id);
      navigate(sessionPath(made.id));
    });
  const archived = work.status === "archived";
  return (
    <div className="card-actions">
      {may(me, "admin") && (
        <Button look="primary" size="small" busy={busy} onClick={goOn}>
          Go on with it here
        </Button>
      )}
      {may(me, "prompt") && work.status === "working" && (
        <Button size="small" icon="stop" disabled={busy} onClick={told("stop", "It is told to stop.")}>
          Stop
        </Button>
      )}
      {may(me, "prompt") && (
        <Button
          size="small"
          disabled={busy}
          onClick={archived ? told("unarchive", "It is taken out again.") : told("archive", "It is put away.")}
        >
          {archived ? "Take out again" : "Put away"}
        </Button>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
