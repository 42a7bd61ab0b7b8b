import { KeysOverlay } from "../keys/keys-overlay.tsx";
import { Notifier } from "../notifications/notifier.tsx";

/** What is there whatever the page shows: notifications, the overview of keys. */
export function Always() {
  return (
    <>
      <Notifier />
      <KeysOverlay />
    </>
  );
}
