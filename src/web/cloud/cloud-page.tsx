import type { CloudAgentAnswer } from "../../server/schemas/cloud.ts";
import { useRemote } from "../panels/use-remote.ts";
import { sentenceOf } from "../state/api.ts";
import { useRoute } from "../state/route.ts";
import { Empty } from "../ui/empty.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { CloudActions } from "./cloud-actions.tsx";
import { CloudConversation } from "./cloud-conversation.tsx";
import { CloudFacts } from "./cloud-facts.tsx";
import "../panels/panels.css";
import "../panels/pages.css";

/** Something that works elsewhere and that no session here holds: `#/cloud/<agent>/<id>`. */
export function CloudPage() {
  const [, agent, id] = useRoute().parts;
  if (agent === undefined || id === undefined)
    return (
      <Empty icon="cloud" title="Work that goes on elsewhere">
        <p>
          Agents that work on a repository and not in a folder of this machine are listed beside the sessions. Choose
          one there.
        </p>
      </Empty>
    );
  return <Work key={`${agent} ${id}`} agent={agent} id={id} />;
}

function Work({ agent, id }: { readonly agent: string; readonly id: string }) {
  const path = `/api/cloud/${encodeURIComponent(agent)}/agents/${encodeURIComponent(id)}`;
  const { value: work, error, reload } = useRemote<CloudAgentAnswer>(path);
  if (work === undefined)
    return error === undefined ? (
      <p className="page-busy">
        <Spinner /> Asking the service …
      </p>
    ) : (
      <p role="alert">{sentenceOf(error)}</p>
    );
  return (
    <>
      <CloudFacts agent={agent} work={work} />
      <CloudActions agent={agent} work={work} path={path} onChanged={reload} />
      <CloudConversation path={path} />
    </>
  );
}
