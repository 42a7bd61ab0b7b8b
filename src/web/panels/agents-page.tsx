import { useState } from "react";
import type { AgentAnswer, CommandAnswer, VerificationAnswer } from "../../server/schemas/agents.ts";
import { commandLine } from "../../view/command-line.ts";
import { dotted } from "../../view/labels.ts";
import { tokens } from "../format/format.ts";
import { McpPanel } from "../mcp/mcp-panel.tsx";
import { refreshAgents, useAgents, useModels } from "../state/agents.ts";
import { toast, toastError } from "../state/messages.ts";
import { navigate } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { Badge, Button, Disclosure, Dot, Facts, Pending } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import "./panels.css";
import "./pages.css";

interface CommandDialogProps {
  readonly title: string;
  readonly command: CommandAnswer;
  readonly onClose: () => void;
}

/** A command to copy: the page runs nothing itself, so the person runs it in a terminal. */
function CommandDialog({ title, command, onClose }: CommandDialogProps) {
  const line = commandLine(command);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Run this in a terminal, then come back and refresh the list.</p>
      <div className="command-line">
        <code>{line}</code>
        <CopyButton text={() => line} label="Copy command" />
      </div>
      {command.withoutBrowser !== undefined && <p className="quiet-words">{command.withoutBrowser}</p>}
    </Dialog>
  );
}

/** The help text; parts in backticks are commands that can be copied. */
function HelpWords({ help }: { readonly help: string }) {
  const [, command] = /`([^`]+)`/.exec(help) ?? [];
  return (
    <div className="help-words">
      <p>{help.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</p>
      {command !== undefined && <CopyButton text={() => command} label="Copy command" />}
    </div>
  );
}

function AgentModels({ agent }: { readonly agent: string }) {
  const { models, loading } = useModels(agent);
  if (loading) return <Pending words="Loading models…" />;
  if (models.length === 0)
    return <p className="quiet-words">This agent does not list its models. You can type any name.</p>;
  return (
    <ul className="model-list">
      {models.map((model) => (
        <li key={model.id}>
          <span className="model-name">
            <bdi>{model.label ?? model.id}</bdi>
            {(model.default === true || model.current === true) && <Badge tone="accent">default</Badge>}
          </span>
          <small>
            {dotted(
              model.label === undefined || model.label === model.id ? undefined : model.id,
              model.provider,
              model.contextSize === undefined ? undefined : `${tokens(model.contextSize)} tokens`,
              model.description,
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

function AgentCard({ agent }: { readonly agent: AgentAnswer }) {
  const me = useMe();
  const [busy, setBusy] = useState<string>();
  const [command, setCommand] = useState<{ readonly title: string; readonly command: CommandAnswer }>();
  const path = `/api/agents/${encodeURIComponent(agent.id)}`;
  const ask = (what: string, work: () => Promise<void>): void => {
    setBusy(what);
    work()
      .catch(toastError)
      .finally(() => setBusy(undefined));
  };
  const show = (what: "login" | "update", title: string): void =>
    ask(what, async () => setCommand({ title, command: await call<CommandAnswer>("POST", `${path}/${what}`) }));
  const verify = (): void =>
    ask("verify", async () => {
      const { outcome, message } = await call<VerificationAnswer>("POST", `${path}/verify`);
      toast(message, outcome === "works" ? "good" : "bad");
    });
  const signs = agent.installed && agent.signedIn !== "yes" && agent.builtIn !== true;
  return (
    <article className="card" aria-label={agent.name}>
      <header>
        <Dot tone={agent.ready ? "good" : "neutral"} />
        <h3>{agent.name}</h3>
        {agent.experimental && <Badge>experimental</Badge>}
        <Badge tone={agent.ready ? "good" : "neutral"}>{stateWords(agent)}</Badge>
        <div className="card-actions">
          {agent.ready && (
            <Button size="small" look="primary" onClick={() => navigate(`/new?agent=${encodeURIComponent(agent.id)}`)}>
              New session
            </Button>
          )}
          {agent.installed && agent.builtIn !== true && may(me, "prompt") && (
            <Button size="small" busy={busy === "verify"} onClick={verify}>
              Check key
            </Button>
          )}
          {signs && may(me, "admin") && (
            <Button size="small" busy={busy === "login"} onClick={() => show("login", `Sign in to ${agent.name}`)}>
              Sign in
            </Button>
          )}
          {agent.installed && agent.path !== undefined && may(me, "admin") && (
            <Button
              size="small"
              look="quiet"
              busy={busy === "update"}
              onClick={() => show("update", `Update ${agent.name}`)}
            >
              Update
            </Button>
          )}
        </div>
      </header>
      {!agent.ready && agent.help !== undefined && <HelpWords help={agent.help} />}
      <AgentFacts agent={agent} />
      {agent.ready && <Disclosure summary="Models">{() => <AgentModels agent={agent.id} />}</Disclosure>}
      {agent.ready && agent.builtIn !== true && may(me, "prompt") && (
        <Disclosure summary="MCP servers">{() => <McpPanel agent={agent.id} cwd={undefined} />}</Disclosure>
      )}
      {agent.promptHelp !== undefined && (
        <Disclosure summary="Prompt syntax">
          {() => (
            <pre className="card-help" tabIndex={0} aria-label="Prompt syntax">
              {agent.promptHelp}
            </pre>
          )}
        </Disclosure>
      )}
      {command !== undefined && <CommandDialog {...command} onClose={() => setCommand(undefined)} />}
    </article>
  );
}

function stateWords({ ready, installed, signedIn }: AgentAnswer): string {
  if (ready) return "ready";
  if (!installed) return "not installed";
  return signedIn === "no" ? "not signed in" : "not ready";
}

function AgentFacts({ agent }: { readonly agent: AgentAnswer }) {
  const { version, testedVersion, signedInHow, path, keysSet = [], others = [] } = agent;
  const tested = testedVersion === undefined || testedVersion === version ? "" : `, tested with ${testedVersion}`;
  const facts: readonly [string, string | undefined][] = [
    ["Version", version === undefined ? undefined : `${version}${tested}`],
    ["Signed in", signedInHow],
    ["Keys", keysSet.length === 0 ? undefined : keysSet.join(", ")],
    ["Program", path],
    ["Other installations", others.length === 0 ? undefined : others.join(", ")],
  ];
  return <Facts className="facts" facts={facts} />;
}

const entry = `{
  "agents": {
    "goose": { "acp": "goose acp" }
  }
}`;

/** Custom agents can be added only in the configuration file: a page must not be able to name a program to start. */
function AnotherAgent() {
  return (
    <section aria-label="Add another agent" className="cards">
      <h2>Add another agent</h2>
      <article className="card" aria-label="Any program that speaks ACP">
        <p>
          Any program that speaks the Agent Client Protocol (ACP) can be used: add its command to{" "}
          <code>~/.config/reins/config.json</code> and restart the server.
        </p>
        <div className="help-words">
          <pre tabIndex={0} aria-label="Example">
            {entry}
          </pre>
          <CopyButton text={() => entry} label="Copy example" />
        </div>
      </article>
    </section>
  );
}

/** The agents of this machine: which are ready, and what the others still need. */
export function AgentsPage() {
  const { agents, loading, error } = useAgents();
  const known = loading && agents.length === 0 ? undefined : agents;
  const ready = agents.filter((agent) => agent.ready);
  const others = agents.filter((agent) => !agent.ready && agent.family !== true);
  return (
    <>
      <div className="page-lead">
        <p>Agents do the work. You can choose any agent that is ready, and hand a session from one agent to another.</p>
        <Button icon="refresh" busy={loading} onClick={() => void refreshAgents()}>
          Refresh
        </Button>
      </div>
      <Pending value={known} error={error} words="Checking installed agents…" />
      <Cards label="Ready" agents={ready} />
      <Cards label="Not ready yet" agents={others} />
      {agents.length > 0 && <AnotherAgent />}
    </>
  );
}

function Cards({ label, agents }: { readonly label: string; readonly agents: readonly AgentAnswer[] }) {
  if (agents.length === 0) return null;
  return (
    <section aria-label={label} className="cards">
      <h2>{label}</h2>
      {agents.map((agent) => (
        <AgentCard key={agent.id} agent={agent} />
      ))}
    </section>
  );
}
