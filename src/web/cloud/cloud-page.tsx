import { useMemo, useState } from "react";
import { oneLine } from "../../events/printable.ts";
import type { CloudAgentAnswer, CloudEventsAnswer } from "../../server/schemas/cloud.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import { conversation } from "../../view/conversation.ts";
import { safeAddress } from "../../view/markdown/nodes.ts";
import { ConversationView } from "../conversation/conversation-view.tsx";
import { moment } from "../format/format.ts";
import { useAgentNames } from "../state/agents.ts";
import { toast } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { navigate, sessionPath, useRoute } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { knowSession } from "../state/sessions.ts";
import { Button, Facts, Pending } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { ConfirmDialog, useDoing } from "../ui/dialog.tsx";
import { CloudBadge, CloudLists } from "./cloud-list.tsx";
import { FollowUp, NewCloudAgent } from "./cloud-prompts.tsx";
import { forgetCloud } from "./cloud.ts";
import "../panels/panels.css";
import "../panels/pages.css";

interface CloudActionsProps {
  readonly agent: string;
  readonly work: CloudAgentAnswer;
  readonly path: string;
  readonly onChanged: () => void;
}

function CloudActions({ agent, work, path, onChanged }: CloudActionsProps) {
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
      const body = { agent, resume: work.state, mode: "full" };
      const made = await call<CreatedSession>("POST", "/api/sessions", body);
      knowSession(made);
      forgetCloud(agent, work.id);
      navigate(sessionPath(made.id));
    });
  const [deleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    await call("DELETE", path);
    forgetCloud(agent, work.id);
    navigate("/new", { replace: true });
    toast("Cloud agent deleted.", "good");
  };
  const archived = work.status === "archived";
  return (
    <div className="card-actions">
      {may(me, "admin") && (
        <Button look="primary" size="small" busy={busy} onClick={goOn}>
          Continue here
        </Button>
      )}
      {may(me, "prompt") && work.status === "working" && (
        <Button size="small" icon="stop" disabled={busy} onClick={told("stop", "Run stopped.")}>
          Stop
        </Button>
      )}
      {may(me, "prompt") && (
        <Button
          size="small"
          disabled={busy}
          onClick={archived ? told("unarchive", "Agent unarchived.") : told("archive", "Agent archived.")}
        >
          {archived ? "Unarchive" : "Archive"}
        </Button>
      )}
      {may(me, "admin") && (
        <Button size="small" look="danger" icon="trash" disabled={busy} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      <Trouble text={error} />
      {deleting && (
        <ConfirmDialog
          title="Delete this cloud agent?"
          does="Delete permanently"
          work={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            <strong dir="auto">{oneLine(work.name ?? "") || work.id}</strong>
          </p>
          <p className="quiet-words">This permanently deletes the agent and its conversation. Its branches are kept.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function CloudConversation({ path }: { readonly path: string }) {
  const { value, error } = useRemote<CloudEventsAnswer>(`${path}/conversation`);
  const said = useMemo(() => value && conversation(value.events), [value]);
  return (
    <section aria-label="Conversation" className="cloud-conversation">
      <Pending value={value} error={error} words="Loading the conversation…" />
      {said !== undefined && <ConversationView conversation={said} version={1} />}
    </section>
  );
}

function CloudFacts({ agent, work }: { readonly agent: string; readonly work: CloudAgentAnswer }) {
  const nameOf = useAgentNames();
  return (
    <section className="card" aria-label="Details">
      <header>
        <h2 dir="auto">{oneLine(work.name ?? "") || work.id}</h2>
        <CloudBadge status={work.status} />
      </header>
      <Facts
        className="facts"
        facts={[
          ["Agent", nameOf(agent)],
          ...work.repositories.map((repository) => ["Repository", <Address address={repository} />] as const),
          ...work.branches.map(
            ({ branch, pullRequest }) =>
              [
                pullRequest === undefined ? "Branch" : "Pull request",
                <Address address={pullRequest ?? branch ?? ""} />,
              ] as const,
          ),
          ["Last updated", work.updatedAt && moment(work.updatedAt)],
          ["Link", work.url && <Address address={work.url} />],
        ]}
      />
    </section>
  );
}

/** Renders a web address as a link and anything else as text. */
function Address({ address }: { readonly address: string }) {
  const href = safeAddress(address);
  return href === undefined ? (
    <bdi>{oneLine(address)}</bdi>
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {href.replace(/^https?:\/\//, "")}
    </a>
  );
}

/** `#/cloud` lists the cloud agents of the account; `#/cloud/<agent>/<id>` shows one of them. */
export function CloudPage() {
  const { parts, query } = useRoute();
  const [, agent, id] = parts;
  if (agent !== undefined && id !== undefined) return <Work key={`${agent} ${id}`} agent={agent} id={id} />;
  return (
    <>
      <NewCloudAgent key={query.toString()} prompt={query.get("prompt") ?? undefined} />
      <CloudLists />
    </>
  );
}

function Work({ agent, id }: { readonly agent: string; readonly id: string }) {
  const path = `/api/cloud/${encodeURIComponent(agent)}/agents/${encodeURIComponent(id)}`;
  const { value: work, error, reload } = useRemote<CloudAgentAnswer>(path);
  if (work === undefined) return <Pending error={error} words="Loading the agent…" />;
  return (
    <>
      <CloudFacts agent={agent} work={work} />
      <CloudActions agent={agent} work={work} path={path} onChanged={reload} />
      <CloudConversation path={path} />
      {work.status !== "archived" && <FollowUp agent={agent} work={work} />}
    </>
  );
}
