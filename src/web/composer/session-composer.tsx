import { Fragment, useEffect, useState } from "react";
import type { PatchBody } from "../../server/schemas/sessions.ts";
import type { TurnAnswer, TurnBody } from "../../server/schemas/turns.ts";
import { readCloudMark, targetWords } from "../../view/cloud.ts";
import { CloudFields } from "../cloud/cloud-fields.tsx";
import { useCloudSending } from "../cloud/use-cloud-sending.ts";
import { useShortcut } from "../keyboard.ts";
import { useAgents } from "../state/agents.ts";
import { toast, toastError } from "../state/messages.ts";
import { call, connection, may, sessionApi, useMe } from "../state/server.ts";
import type { SessionState } from "../state/session.ts";
import { takeSlash, type SlashHost } from "../slash/use-slash.ts";
import { Button, classes, IconButton, Kbd } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { Unheard } from "./attachments.tsx";
import { useDraft } from "./draft.ts";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { PromptBox } from "./prompt-box.tsx";

/** Labels of the send button, by what sending does to a running turn. */
const sending = {
  send: { icon: "send", label: "Send", does: "sends", placeholder: "What should the agent do next?" },
  steer: { icon: "send", label: "Steer", does: "steers", placeholder: "Add to the running turn" },
  queue: { icon: "queue", label: "Queue", does: "queues", placeholder: "What should the agent do after this turn?" },
} as const;

interface SessionComposerProps {
  readonly session: SessionState;
  readonly showDiff: () => void;
}

/** The composer below a conversation: steers a running turn, queues a prompt or starts a turn. */
export function SessionComposer({ session, showDiff }: SessionComposerProps) {
  const { id, running, info, conversation } = session;
  const path = sessionApi(id);
  const me = useMe();
  const { agents } = useAgents();
  const agentId = conversation.agent ?? info?.agent;
  const agent = agents.find((one) => one.id === agentId);
  const can = agent?.capabilities;
  const draft = useDraft(id);
  const { attachments, error, field, ready } = draft;
  const [stopping, setStopping] = useState(false);

  useShortcut({ keys: "i", label: "Focus the prompt", group: "In a session" }, () => field.current?.focus());
  useShortcut({ keys: "Escape", label: "Stop the running turn", group: "In a session", whileWriting: true }, () => {
    if (running) void cancel();
  });
  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);

  const steers = can?.steer === true;
  const slash: SlashHost = {
    ...{ place: id, sessionId: id, entries: conversation.entries.length, agent: agentId, own: conversation.commands },
    ...{ model: info?.model ?? conversation.model, mode: conversation.mode ?? info?.mode },
    cwd: conversation.cwd ?? info?.cwd ?? me?.cwd ?? "",
    configure: async (body) => void (await call("PATCH", path, body)),
    switchAgent: async (to) => void (await call("POST", `${path}/handoff`, { to })),
    showDiff,
  };
  const toCloud = readCloudMark(draft.text).to === "cloud";
  const cloud = useCloudSending(toCloud && slash.cwd !== "" ? slash.cwd : undefined);
  const send = async (whenBusy: TurnBody["whenBusy"], command?: string): Promise<void> => {
    const taken = takeSlash(command ?? draft.text, slash);
    if (taken.kind === "ran") draft.setText("");
    if (taken.kind !== "send") return;
    const { to, text } = readCloudMark(taken.text);
    await draft.send(async (prompt, key) => {
      if (to === "cloud") {
        await cloud.begin(prompt, key);
        // Stay in this session; the new one appears in the list.
        return () => toast(`Sent to the cloud: ${targetWords(cloud.target)}.`, "good");
      }
      await call<TurnAnswer>("POST", `${path}/turns`, { prompt, ...(whenBusy !== undefined && { whenBusy }) }, { key });
      // The server has answered, so reconnect now to show the result at once.
      return () => connection.hurry();
    }, text);
  };
  const cancel = async (): Promise<void> => {
    setStopping(true);
    await call("POST", `${path}/cancel`, {}).catch(toastError);
    setStopping(false);
  };
  const change = (body: PatchBody): void => void call("PATCH", path, body).catch(toastError);
  const usual = !running ? undefined : steers ? "steer" : "queue";
  const sends = sending[usual ?? "send"];
  const hints: readonly (readonly [keys: string, words: string])[] = [
    ...(session.requests.length > 0 ? ([["Alt+a", "answer the request"]] as const) : []),
    ["Enter", sends.does],
    ...(running && steers ? ([["Mod+Enter", "queues"]] as const) : []),
    ["Shift+Enter", "new line"],
    ["/", "commands"],
    ...(running ? ([["Escape", "stops"]] as const) : []),
  ];

  if (!may(me, "prompt")) return <p className="composer-note">This page's token is read-only.</p>;
  return (
    <div className={classes("composer", running && "running")}>
      <Trouble text={error} className="composer-error" />
      {toCloud && <CloudFields sending={cloud} />}
      <Unheard agent={agent} attachments={attachments} />
      <PromptBox
        draft={draft}
        commands={conversation.commands}
        placeholder={sends.placeholder}
        onSend={(other, command) => void send(running && other ? "queue" : usual, command)}
        pickers={
          <>
            <ModelPicker
              // Only an agent that is ready can list its models.
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
              <Button size="small" icon="queue" disabled={!ready || draft.sending} onClick={() => void send("queue")}>
                Queue
              </Button>
            )}
            <IconButton
              look="primary"
              icon={sends.icon}
              label={sends.label}
              tipAt="above-end"
              busy={draft.sending}
              disabled={!ready}
              onClick={() => void send(usual)}
            />
          </>
        }
      />
      <p className="composer-keys" aria-hidden="true">
        {hints.map(([keys, words], index) => (
          <Fragment key={keys}>
            {index > 0 && " · "}
            <Kbd keys={keys} /> {words}
          </Fragment>
        ))}
      </p>
    </div>
  );
}
