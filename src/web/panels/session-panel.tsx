import { useSession } from "../state/session.ts";

interface SessionPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Beside a conversation: the plan, the files that changed, what it used. */
export function SessionPanel({ id }: SessionPanelProps) {
  const { conversation } = useSession(id);
  return <p>{conversation.entries.length}</p>;
}
