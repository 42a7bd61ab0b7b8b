import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";

interface DenyFormProps {
  readonly busy: boolean;
  readonly onDeny: (message: string, stop: boolean) => void;
  readonly onCancel: () => void;
}

/** A no with a word to the agent. */
export function DenyForm({ busy, onDeny, onCancel }: DenyFormProps) {
  const [message, setMessage] = useState("");
  const [stop, setStop] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="deny-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(message.trim(), stop);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label="What the agent is told"
        placeholder="What should it do instead?"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={stop} onChange={(event) => setStop(event.target.checked)} /> and end the turn
      </label>
      <div className="deny-buttons">
        <Button type="submit" look="danger" busy={busy} disabled={message.trim() === "" && !stop}>
          Deny
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
