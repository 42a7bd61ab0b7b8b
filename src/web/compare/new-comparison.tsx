import { useState } from "react";
import type { Mode } from "../../events/modes.ts";
import type { Comparison } from "../../server/schemas/comparisons.ts";
import { FolderField } from "../composer/folder-field.tsx";
import { knownFolders } from "../composer/folders.ts";
import { AgentPicker, ModelPicker, ModePicker } from "../composer/pickers.tsx";
import { useDoing } from "../ui/use-doing.ts";
import { useAgents } from "../state/agents.ts";
import { call } from "../state/api.ts";
import { useMe } from "../state/me.ts";
import { navigate, useRoute } from "../state/route.ts";
import { useSessions } from "../state/sessions.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";

/** The server takes no more. */
const most = 8;

interface Entrant {
  /** Which row it is. */
  readonly key: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

export function NewComparison() {
  const me = useMe();
  const { sessions } = useSessions();
  const { agents } = useAgents();
  const { query } = useRoute();
  const folders = knownFolders(me, sessions);
  const [chosen, setFolder] = useState<string>();
  const [prompt, setPrompt] = useState(query.get("prompt") ?? "");
  const [mode, setMode] = useState<Mode>("ask");
  const [entrants, setEntrants] = useState<readonly Entrant[]>([
    { key: 0, agent: undefined, model: undefined },
    { key: 1, agent: undefined, model: undefined },
  ]);
  const { busy, error, run } = useDoing();
  const folder = chosen ?? folders[0] ?? "";
  const ready = agents.filter((agent) => agent.ready);
  const agentOf = ({ agent }: Entrant, index: number): string | undefined =>
    agent ?? ready[Math.min(index, ready.length - 1)]?.id;
  const change = (key: number, to: Partial<Entrant>): void =>
    setEntrants(entrants.map((entrant) => (entrant.key === key ? { ...entrant, ...to } : entrant)));
  const begin = (): void =>
    run(async () => {
      const entries = entrants.flatMap((entrant, index) => {
        const agent = agentOf(entrant, index);
        return agent === undefined ? [] : [{ agent, ...(entrant.model !== undefined && { model: entrant.model }) }];
      });
      const made = await call<Comparison>("POST", "/api/comparisons", { cwd: folder, prompt, entries, mode });
      navigate(`/compare/${encodeURIComponent(made.id)}`);
    });
  return (
    <form
      className="card new-comparison"
      aria-label="New comparison"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <FolderField value={folder} folders={folders} onChange={setFolder} />
      <Field label="What shall be done?" error={error}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            dir="auto"
            required
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="entrants">
        <legend>By whom?</legend>
        {entrants.map((entrant, index) => {
          const agent = agentOf(entrant, index);
          return (
            <div key={entrant.key} className="entrant" role="group" aria-label={`Agent ${index + 1}`}>
              <AgentPicker value={agent} onChange={(to) => change(entrant.key, { agent: to, model: undefined })} />
              <ModelPicker agent={agent} value={entrant.model} onChange={(model) => change(entrant.key, { model })} />
              {entrants.length > 1 && (
                <IconButton
                  icon="close"
                  label={`Without agent ${index + 1}`}
                  tipAt="below-end"
                  size="small"
                  onClick={() => setEntrants(entrants.filter(({ key }) => key !== entrant.key))}
                />
              )}
            </div>
          );
        })}
        {entrants.length < most && (
          <Button
            look="quiet"
            size="small"
            icon="add"
            onClick={() => {
              const key = 1 + Math.max(...entrants.map((entrant) => entrant.key));
              setEntrants([...entrants, { key, agent: undefined, model: undefined }]);
            }}
          >
            Another agent
          </Button>
        )}
      </fieldset>
      <div className="new-comparison-foot">
        <ModePicker agent={undefined} value={mode} onChange={setMode} />
        <Button
          look="primary"
          type="submit"
          icon="compare"
          busy={busy}
          disabled={prompt.trim() === "" || folder === ""}
        >
          Compare
        </Button>
      </div>
    </form>
  );
}
