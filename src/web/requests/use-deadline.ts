import { useEffect, useState } from "react";
import { timeLeft } from "../conversation/amounts.ts";

/** What is left until then, in words; undefined where there is no end. */
export function useDeadline(deadline: string | undefined): string | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (deadline === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [deadline]);
  return deadline === undefined ? undefined : timeLeft(Date.parse(deadline) - now);
}
