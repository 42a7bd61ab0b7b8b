import { Button } from "../ui/button.tsx";
import { allowNotifications, type Allowed, stopNotifications, useNotificationsAllowed } from "./allowed.ts";

const words: Readonly<Record<Allowed, string>> = {
  on: "You are told when a session waits for your answer and this page is not seen.",
  off: "Be told when a session waits for your answer and this page is not seen.",
  denied: "This browser forbids it for this page. Allow it in the browser's settings of the page.",
  impossible: "This browser has none.",
};

export function NotificationSetting() {
  const allowed = useNotificationsAllowed();
  return (
    <div className="setting-row">
      <div>
        <h3>Notifications</h3>
        <p className="quiet-words">{words[allowed]}</p>
      </div>
      {allowed === "on" && <Button onClick={stopNotifications}>Turn off</Button>}
      {allowed === "off" && (
        <Button look="primary" onClick={() => void allowNotifications()}>
          Turn on
        </Button>
      )}
    </div>
  );
}
