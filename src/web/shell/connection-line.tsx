import { useEffect, useState } from "react";
import { live, useConnection } from "../state/live.ts";
import { Button } from "../ui/button.tsx";
import { Spinner } from "../ui/spinner.tsx";

/** A short break is nobody's business. */
const quietMs = 700;

export function ConnectionLine() {
  const connection = useConnection();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (connection !== "lost") {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div role="status" className="connection-status">
      {shown && (
        <div className="connection-line">
          <Spinner />
          <span>The server is away. Nothing is lost; this goes on as soon as it is back.</span>
          <Button look="quiet" size="small" onClick={() => live.hurry()}>
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}
