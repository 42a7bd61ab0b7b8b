import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon?: IconName | undefined;
  readonly title: string;
  /** What it would be, and how to get it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      {icon !== undefined && <Icon name={icon} size={28} />}
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-words">{children}</div>}
      {actions !== undefined && <div className="empty-actions">{actions}</div>}
    </div>
  );
}
