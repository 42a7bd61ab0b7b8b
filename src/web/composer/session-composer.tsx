import { useEffect, useState } from "react";
import type { PatchBody } from "../../server/schemas/sessions.ts";
import type { TurnAnswer, TurnBody } from "../../server/schemas/turns.ts";
import { useShortcut } from "../keyboard.ts";
import { useAgents } from "../state/agents.ts";
import { toastError } from "../state/messages.ts";
import { call, connection, may, sessionApi, useMe } from "../state/server.ts";
import type { SessionState } from "../state/session.ts";
import { Button, classes, IconButton, Kbd, Trouble } from "../ui/basics.tsx";
import { Unheard } from "./attachments.tsx";
import { useDraft } from "./draft.ts";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { PromptBox } from "./prompt-box.tsx";

/** Below a conversation: what is said next, to whom and how; into a turn that runs, or after it. */
export function SessionComposer({ session }: { readonly session: SessionState }) {
  const { id, running, info, conversation } = session;
  const path = sessionApi(id);
  const me = useMe();
  const { agents } = useAgents();
  const agentId = conversation.agent ?? info?.agent;
  const agent = agents.find((one) => one.id === agentId);
  const can = agent?.capabilities;
  const draft = useDraft(id);
  const { attachments, error, field, ready, sending } = draft;
  const [stopping, setStopping] = useState(false);

  useShortcut({ keys: "i", label: "Write a prompt", group: "In a session" }, () => field.current?.focus());
  useShortcut({ keys: "Escape", label: "Cancel the turn that runs", group: "In a session", whileWriting: true }, () => {
    if (running) void cancel();
  });
  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);

  const steers = can?.steer === true;
  const send = (whenBusy: TurnBody["whenBusy"]): Promise<void> =>
    draft.send(async (prompt, key) => {
      await call<TurnAnswer>("POST", `${path}/turns`, { prompt, ...(whenBusy !== undefined && { whenBusy }) }, { key });
      // The server answers, so the result is to be seen now.
      return () => connection.hurry();
    });
  const cancel = async (): Promise<void> => {
    setStopping(true);
    await call("POST", `${path}/cancel`, {}).catch(toastError);
    setStopping(false);
  };
  const change = (body: PatchBody): void => void call("PATCH", path, body).catch(toastError);
  const usual = !running ? undefined : steers ? "steer" : "queue";

  if (!may(me, "prompt")) return <p className="composer-note">This page's token may only read.</p>;
  return (
    <div className={classes("composer", running && "running")}>
      <Trouble text={error} className="composer-error" />
      <Unheard agent={agent} attachments={attachments} />
      <PromptBox
        draft={draft}
        commands={conversation.commands}
        placeholder={
          !running
            ? "Say what to do next"
            : steers
              ? "Say something into the running turn"
              : "Say what to do after this turn"
        }
        onSend={(other) => void send(running && other ? "queue" : usual)}
        pickers={
          <>
            <ModelPicker
              // One that is not there cannot tell its models.
              agent={agent?.ready === true ? agentId : undefined}
              value={info?.model ?? conversation.model}
              disabled={running || can?.changeModel !== true}
              onChange={(model) => model !== undefined && change({ model })}
            />
            <ModePicker
              agent={agent}
              value={conversation.mode ?? info?.mode}
              disabled={running || can?.changeMode !== true}
              onChange={(mode) => change({ mode })}
            />
          </>
        }
        buttons={
          <>
            {running && (
              <Button look="danger" size="small" icon="stop" busy={stopping} onClick={() => void cancel()}>
                Stop
              </Button>
            )}
            {running && steers && (
              <Button size="small" icon="queue" disabled={!ready || sending} onClick={() => void send("queue")}>
                Queue
              </Button>
            )}
            <IconButton
              look="primary"
              icon={usual === "queue" ? "queue" : "send"}
              label={usual === "steer" ? "Steer" : usual === "queue" ? "Queue" : "Send"}
              tipAt="above-end"
              busy={sending}
              disabled={!ready}
              onClick={() => void send(usual)}
            />
          </>
        }
      />
      <p className="composer-keys" aria-hidden="true">
        {session.requests.length > 0 && (
          <>
            <Kbd keys="Alt+a" /> to the answers{" · "}
          </>
        )}
        <Kbd keys="Enter" /> {usual === "steer" ? "steers" : usual === "queue" ? "queues" : "sends"}
        {running && steers && (
          <>
            {" · "}
            <Kbd keys="Mod+Enter" /> queues
          </>
        )}
        {" · "}
        <Kbd keys="Shift+Enter" /> new line
        {running && (
          <>
            {" · "}
            <Kbd keys="Escape" /> stops
          </>
        )}
      </p>
    </div>
  );
}
