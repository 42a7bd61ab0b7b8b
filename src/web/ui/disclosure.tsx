import { useId, useState } from "react";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";

interface DisclosureProps {
  readonly summary: ReactNode;
  /** Asked for only when it is open. */
  readonly children: () => ReactNode;
  readonly className?: string | undefined;
  readonly initiallyOpen?: boolean | undefined;
  /** Where whoever shows it remembers whether it is open: a row that scrolls away is forgotten. */
  readonly open?: boolean | undefined;
  readonly onToggle?: ((open: boolean) => void) | undefined;
}

export function Disclosure({ summary, children, className, initiallyOpen = false, open, onToggle }: DisclosureProps) {
  const [own, setOwn] = useState(initiallyOpen);
  const shown = open ?? own;
  const id = useId();
  return (
    <div className={classes("disclosure", shown && "open", className)}>
      <button
        type="button"
        className="disclosure-button"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => {
          setOwn(!shown);
          onToggle?.(!shown);
        }}
      >
        <span className="disclosure-arrow">
          <Icon name="chevron" size={12} />
        </span>
        {summary}
      </button>
      {shown && (
        <div id={id} className="disclosure-body">
          {children()}
        </div>
      )}
    </div>
  );
}
