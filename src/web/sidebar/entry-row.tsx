import { Dot } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { classes } from "../ui/classes.ts";
import { folderName } from "../composer/folders.ts";
import { ago, moment } from "../format/when.ts";
import type { Entry, EntryState } from "./entries.ts";

const marks = {
  waiting: { tone: "warn", label: "waits for an answer" },
  running: { tone: "accent", label: "working" },
  failed: { tone: "bad", label: "failed" },
  resting: undefined,
} as const satisfies Record<EntryState, unknown>;

interface EntryRowProps {
  readonly entry: Entry;
  readonly agentName: string | undefined;
  readonly current: boolean;
  readonly now: number;
  readonly onOpen: () => void;
}

export function EntryRow({ entry, agentName, current, now, onOpen }: EntryRowProps) {
  const { path, title, place, at, state, cloud } = entry;
  const mark = marks[state];
  return (
    <a
      href={`#${path}`}
      className={classes("entry", state)}
      aria-current={current ? "page" : undefined}
      title={`${title}\n${place}\n${moment(at)}`}
      onClick={onOpen}
    >
      <span className="entry-title">
        <bdi>{title}</bdi>
        {mark !== undefined && <Dot tone={mark.tone} pulse={state === "running"} label={mark.label} />}
      </span>
      <span className="entry-more">
        {cloud && <Icon name="cloud" size={12} />}
        {agentName !== undefined && <span className="entry-agent">{agentName}</span>}
        {place !== "" && <bdi className="entry-place">{folderName(place)}</bdi>}
        <span className="entry-when">{ago(at, now)}</span>
      </span>
    </a>
  );
}
