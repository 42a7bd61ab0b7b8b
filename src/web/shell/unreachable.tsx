import { useEffect } from "react";
import { askMe } from "../state/me.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";

const againMs = 2_000;

export function Unreachable() {
  useEffect(() => {
    const timer = setInterval(() => void askMe(), againMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main className="waiting-page">
      <Empty
        icon="plug"
        title="The server does not answer"
        actions={
          <Button icon="refresh" onClick={() => void askMe()}>
            Try again
          </Button>
        }
      >
        <p>
          See whether <code>reins serve</code> still runs. This page goes on by itself as soon as it does.
        </p>
      </Empty>
    </main>
  );
}
