import { useState } from "react";
import type { Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import type { Comparison, ComparisonList } from "../../server/schemas/comparisons.ts";
import { FolderField, folderName, knownFolders } from "../composer/folder-field.tsx";
import { AgentPicker, ModelPicker, ModePicker } from "../composer/pickers.tsx";
import { ago, useNow } from "../format/format.ts";
import { useAgentNames, useAgents } from "../state/agents.ts";
import { useRemote } from "../state/remote.ts";
import { navigate, useRoute } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { useSessions } from "../state/sessions.ts";
import { Button, Field, IconButton, Pending } from "../ui/basics.tsx";
import { Form } from "../ui/form.tsx";
import { useDoing } from "../ui/dialog.tsx";
import { StateBadge } from "./entry-card.tsx";

export function Comparisons() {
  const { value, error } = useRemote<ComparisonList>("/api/comparisons");
  const nameOf = useAgentNames();
  const now = useNow();
  const mayPrompt = may(useMe(), "prompt");
  return (
    <>
      <div className="page-lead">
        <p>
          Send the same prompt to several agents. Each works in its own git worktree, so your files are not touched.
          Compare the results and keep the one you like.
        </p>
      </div>
      {mayPrompt && <NewComparison />}
      <Pending value={value} error={error} />
      {value !== undefined && value.comparisons.length > 0 && (
        <section aria-label="Comparisons" className="cards">
          <h2>Comparisons</h2>
          {value.comparisons.map(({ id, prompt, cwd, createdAt, entries }) => (
            <a key={id} className="card comparison-link" href={`#/compare/${encodeURIComponent(id)}`}>
              <span className="comparison-prompt" dir="auto">
                {oneLine(prompt)}
              </span>
              <span className="comparison-entries">
                {entries.map((entry) => (
                  <span key={entry.number}>
                    {nameOf(entry.agent)} <StateBadge entry={entry} />
                  </span>
                ))}
              </span>
              <small>
                {folderName(cwd)} · {ago(createdAt, now)}
              </small>
            </a>
          ))}
        </section>
      )}
    </>
  );
}

/** The limit that the server enforces. */
const most = 8;

interface Entrant {
  readonly key: number;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

function NewComparison() {
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
    <Form className="card new-comparison" aria-label="New comparison" onSubmit={begin}>
      <FolderField value={folder} folders={folders} onChange={setFolder} />
      <Field
        label="What should the agents do?"
        error={error}
        rows={3}
        dir="auto"
        required
        value={prompt}
        onChange={setPrompt}
      />
      <fieldset className="entrants">
        <legend>Agents</legend>
        {entrants.map((entrant, index) => {
          const agent = agentOf(entrant, index);
          return (
            <div key={entrant.key} className="entrant" role="group" aria-label={`Agent ${index + 1}`}>
              <AgentPicker value={agent} onChange={(to) => change(entrant.key, { agent: to, model: undefined })} />
              <ModelPicker agent={agent} value={entrant.model} onChange={(model) => change(entrant.key, { model })} />
              {entrants.length > 1 && (
                <IconButton
                  icon="close"
                  label={`Remove agent ${index + 1}`}
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
            Add agent
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
    </Form>
  );
}
