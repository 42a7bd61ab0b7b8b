import { dismissToast, useToasts } from "../state/messages.ts";
import { classes, Icon, IconButton } from "./basics.tsx";

const icons = { info: "info", good: "check", bad: "warn" } as const;

export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, tone, text }) => (
        <div key={id} className={classes("toast", tone)}>
          <Icon name={icons[tone]} />
          <p>{text}</p>
          <IconButton icon="close" label="Dismiss" size="small" tipAt="above-end" onClick={() => dismissToast(id)} />
        </div>
      ))}
    </div>
  );
}
