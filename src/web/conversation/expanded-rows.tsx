/** Remembers which rows are expanded: the virtual list unmounts rows that are scrolled out of sight. */
import { createContext, use, useState, type ReactNode } from "react";
import { Disclosure, Icon, type IconName } from "../ui/basics.tsx";

export type ExpandedRows = Map<string, boolean>;

export const ExpandedRowsContext = createContext<ExpandedRows>(new Map());

export function useOpen(key: string, initially = false): readonly [boolean, (open: boolean) => void] {
  const kept = use(ExpandedRowsContext);
  const [open, setOpen] = useState(kept.get(key) ?? initially);
  return [
    open,
    (next) => {
      kept.set(key, next);
      setOpen(next);
    },
  ];
}

interface OpenableProps {
  readonly path: string;
  readonly icon: IconName;
  readonly className: string;
  readonly summary: (open: boolean) => ReactNode;
  readonly initiallyOpen?: boolean | undefined;
  readonly children: () => ReactNode;
}

export function Openable({ path, icon, className, summary, initiallyOpen, children }: OpenableProps) {
  const [open, setOpen] = useOpen(path, initiallyOpen);
  const head = (
    <>
      <Icon name={icon} size={14} />
      {summary(open)}
    </>
  );
  return (
    <Disclosure className={className} open={open} onToggle={setOpen} summary={head}>
      {children}
    </Disclosure>
  );
}
