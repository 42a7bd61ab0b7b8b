import { useState } from "react";
import type { AgentAnswer, CommandAnswer, VerificationAnswer } from "../../server/schemas/agents.ts";
import { call } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { navigate } from "../state/route.ts";
import { toast, toastError } from "../state/toasts.ts";
import { Badge, Dot } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CommandDialog } from "./command-dialog.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { AgentModels } from "./agent-models.tsx";
import { HelpWords } from "./help-words.tsx";

export function AgentCard({ agent }: { readonly agent: AgentAnswer }) {
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
              Check its key
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
      <Facts agent={agent} />
      {agent.ready && <Disclosure summary="Models">{() => <AgentModels agent={agent.id} />}</Disclosure>}
      {agent.promptHelp !== undefined && (
        <Disclosure summary="What its prompts may say">
          {() => (
            <pre className="card-help" tabIndex={0} aria-label="What its prompts may say">
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

function Facts({ agent }: { readonly agent: AgentAnswer }) {
  const { version, testedVersion, signedInHow, path, keysSet = [], others = [] } = agent;
  const tested = testedVersion === undefined || testedVersion === version ? "" : `, tested with ${testedVersion}`;
  const facts = [
    ["Version", version === undefined ? undefined : `${version}${tested}`],
    ["Signed in", signedInHow],
    ["Keys", keysSet.length === 0 ? undefined : keysSet.join(", ")],
    ["Program", path],
    ["Not used", others.length === 0 ? undefined : others.join(", ")],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined);
  if (facts.length === 0) return null;
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
