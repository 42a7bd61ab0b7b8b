/** Whether there is only room for one thing beside another. */
import { useSyncExternalStore } from "react";

const phone = "(max-width: 52rem)";

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(phone);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(phone).matches,
  );
}
