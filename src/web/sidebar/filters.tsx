import type { AgentAnswer } from "../../server/schemas/agents.ts";
import { folderName } from "../composer/folders.ts";
import { Select } from "../ui/select.tsx";
import type { Entry, EntryFilter } from "./entries.ts";

interface FiltersProps {
  readonly entries: readonly Entry[];
  readonly agents: readonly AgentAnswer[];
  readonly filter: EntryFilter;
  readonly onChange: (filter: EntryFilter) => void;
}

const states = [
  { value: "all", label: "All" },
  { value: "running", label: "Working" },
  { value: "waiting", label: "Waiting" },
] as const;

/** Which sessions are listed. A choice between one thing is none, and is not shown. */
export function Filters({ entries, agents, filter, onChange }: FiltersProps) {
  const used = new Set(entries.map(({ agent }) => agent));
  const places = [...new Set(entries.map(({ place }) => place))].filter((place) => place !== "").sort();
  const waiting = entries.filter(({ state }) => state === "waiting").length;
  const running = entries.filter(({ state }) => state === "running").length;
  const counts = { all: undefined, running, waiting };
  return (
    <div className="filters">
      <div role="group" aria-label="Which sessions" className="segments">
        {states.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={filter.state === value}
            onClick={() => onChange({ ...filter, state: value })}
          >
            {label}
            {(counts[value] ?? 0) > 0 && <span className="count">{counts[value]}</span>}
          </button>
        ))}
      </div>
      {(used.size > 1 || places.length > 1) && (
        <div className="filter-row">
          {used.size > 1 && (
            <Select
              label="Agent"
              look="quiet"
              value={filter.agent ?? ""}
              options={[
                { value: "", label: "Every agent" },
                ...agents.filter(({ id }) => used.has(id)).map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(agent) => onChange({ ...filter, agent: agent === "" ? undefined : agent })}
            />
          )}
          {places.length > 1 && (
            <Select
              label="Folder"
              look="quiet"
              value={filter.place ?? ""}
              options={[
                { value: "", label: "Every folder" },
                ...places.map((place) => ({ value: place, label: folderName(place), detail: place })),
              ]}
              onChange={(place) => onChange({ ...filter, place: place === "" ? undefined : place })}
            />
          )}
        </div>
      )}
    </div>
  );
}
