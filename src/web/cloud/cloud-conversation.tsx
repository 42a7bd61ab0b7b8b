import { useMemo } from "react";
import type { CloudEventsAnswer } from "../../server/schemas/cloud.ts";
import { conversation } from "../../view/conversation.ts";
import { ConversationView } from "../conversation/conversation-view.tsx";
import { useRemote } from "../panels/use-remote.ts";
import { sentenceOf } from "../state/api.ts";
import { Spinner } from "../ui/spinner.tsx";

/** What was said there, as the service keeps it. */
export function CloudConversation({ path }: { readonly path: string }) {
  const { value, error } = useRemote<CloudEventsAnswer>(`${path}/conversation`);
  const said = useMemo(() => value && conversation(value.events), [value]);
  return (
    <section aria-label="Conversation" className="cloud-conversation">
      {error !== undefined && <p className="quiet-words">{sentenceOf(error)}</p>}
      {value === undefined && error === undefined && (
        <p className="page-busy">
          <Spinner /> Reading the conversation …
        </p>
      )}
      {said !== undefined && <ConversationView conversation={said} version={1} />}
    </section>
  );
}
