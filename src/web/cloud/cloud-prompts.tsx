import { useEffect } from "react";
import type { CloudAgentAnswer } from "../../server/schemas/cloud.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import { Unheard } from "../composer/attachments.tsx";
import { useDraft, type Draft } from "../composer/draft.ts";
import { PromptBox } from "../composer/prompt-box.tsx";
import { navigate, sessionPath } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { knowSession } from "../state/sessions.ts";
import { IconButton } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { CloudFields } from "./cloud-fields.tsx";
import { forgetCloud } from "./cloud.ts";
import { useCloudSending } from "./use-cloud-sending.ts";

interface CloudPromptProps {
  readonly draft: Draft;
  readonly placeholder: string;
  readonly label: string;
  readonly onSend: () => void;
}

function CloudPrompt({ draft, placeholder, label, onSend }: CloudPromptProps) {
  const buttons = (
    <IconButton
      {...{ look: "primary", icon: "send", label, tipAt: "above-end" }}
      busy={draft.sending}
      disabled={!draft.ready}
      onClick={onSend}
    />
  );
  return (
    <>
      <PromptBox draft={draft} placeholder={placeholder} onSend={onSend} buttons={buttons} />
      <Trouble text={draft.error} className="composer-error" />
    </>
  );
}

/** Starts a cloud agent from the folder that the server was started in. */
export function NewCloudAgent({ prompt }: { readonly prompt: string | undefined }) {
  const me = useMe();
  const draft = useDraft("cloud");
  const sending = useCloudSending(me?.cwd);
  const { setText } = draft;
  useEffect(() => {
    if (prompt !== undefined) setText(prompt);
  }, [prompt, setText]);
  if (sending.agent === undefined || !may(me, "approve")) return null;
  const send = (): void =>
    void draft.send(async (said, key) => {
      const { id } = await sending.begin(said, key);
      return () => navigate(sessionPath(id));
    });
  return (
    <section aria-label="New cloud agent" className="cloud-new">
      <CloudFields sending={sending} />
      <Unheard agent={sending.agent} attachments={draft.attachments} />
      <CloudPrompt draft={draft} placeholder="Describe a task for a cloud agent" label="Start agent" onSend={send} />
    </section>
  );
}

/** The next prompt to a cloud agent: continues its conversation as a session here. */
export function FollowUp({ agent, work }: { readonly agent: string; readonly work: CloudAgentAnswer }) {
  const me = useMe();
  const draft = useDraft(`cloud.${work.id}`);
  // The server accepts a state only from the admin scope.
  if (!may(me, "admin")) return null;
  const send = (): void =>
    void draft.send(async (prompt, key) => {
      const body = { agent, resume: work.state, mode: "full", prompt };
      const { turn: _turn, ...session } = await call<CreatedSession>("POST", "/api/sessions", body, { key });
      return () => {
        knowSession(session);
        forgetCloud(agent, work.id);
        navigate(sessionPath(session.id));
      };
    });
  return (
    <section aria-label="Follow-up">
      <CloudPrompt draft={draft} placeholder="What should the agent do next?" label="Send follow-up" onSend={send} />
    </section>
  );
}
