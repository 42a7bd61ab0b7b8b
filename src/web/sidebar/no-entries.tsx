import { navigate } from "../state/route.ts";
import { Button } from "../ui/button.tsx";

interface NoEntriesProps {
  /** Nothing is left out: there is none. */
  readonly none: boolean;
  readonly onAll: () => void;
}

export function NoEntries({ none, onAll }: NoEntriesProps) {
  if (none)
    return (
      <div className="no-entries">
        <p>
          <strong>No sessions yet.</strong>
        </p>
        <p>
          A session is one conversation with an agent about one folder. All of them will be listed here, whichever agent
          holds them.
        </p>
        <Button size="small" onClick={() => navigate("/new")}>
          Begin the first one
        </Button>
      </div>
    );
  return (
    <div className="no-entries">
      <p>No session is like that.</p>
      <Button size="small" onClick={onAll}>
        Show all
      </Button>
    </div>
  );
}
