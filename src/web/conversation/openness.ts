/** What a person has opened stays open while they scroll: rows that are not seen are not there. */
import { createContext, use, useState } from "react";

export type Openness = Map<string, boolean>;

export const OpennessContext = createContext<Openness>(new Map());

export function useOpen(key: string, initially = false): readonly [boolean, (open: boolean) => void] {
  const kept = use(OpennessContext);
  const [open, setOpen] = useState(kept.get(key) ?? initially);
  return [
    open,
    (next) => {
      kept.set(key, next);
      setOpen(next);
    },
  ];
}
