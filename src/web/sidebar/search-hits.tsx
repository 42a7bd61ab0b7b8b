import { oneLine } from "../../events/printable.ts";
import { sessionPath } from "../state/route.ts";
import { Spinner } from "../ui/spinner.tsx";
import type { Found } from "./search.ts";

interface SearchHitsProps {
  readonly found: Found;
  readonly onOpen: () => void;
}

/** Where in the conversations the words occur. One row a session: the first place in it. */
export function SearchHits({ found, onOpen }: SearchHitsProps) {
  if (found.hits.length === 0 && !found.asking && !found.failed) return null;
  const first = new Map(found.hits.toReversed().map((hit) => [hit.session.id, hit]));
  return (
    <section aria-label="Found in conversations" className="entry-group" aria-busy={found.asking}>
      <h2>In conversations {found.asking && <Spinner size={11} />}</h2>
      {[...first.values()].toReversed().map(({ session, excerpt, seq }) => (
        <a key={session.id} href={`#${sessionPath(session.id, seq)}`} className="entry" onClick={onOpen}>
          <span className="entry-title">
            <bdi>{oneLine(session.title ?? "") || "Without a title"}</bdi>
          </span>
          <span className="entry-excerpt" dir="auto">
            {oneLine(excerpt)}
          </span>
        </a>
      ))}
      {found.failed && <p className="entry-none">The server could not search.</p>}
    </section>
  );
}
