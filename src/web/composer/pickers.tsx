import { modes, type Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import type { AgentAnswer, AgentFilesAnswer } from "../../server/schemas/agents.ts";
import { agentColour } from "../../view/agent-colour.ts";
import { dotted } from "../../view/labels.ts";
import { ownModeName } from "../../view/mode-names.ts";
import { refreshAgents, useAgents, useModels } from "../state/agents.ts";
import { may, useMe } from "../state/server.ts";
import { useTypedKeys } from "../state/typed-keys.ts";
import { Button, Dot } from "../ui/basics.tsx";
import { Select, type SelectOption } from "../ui/select.tsx";

/** Label and explanation of each mode. */
const words: Readonly<Record<Mode, { readonly label: string; readonly detail: string }>> = {
  read: { label: "Read only", detail: "Reads files, changes nothing." },
  plan: { label: "Plan", detail: "Reads files and proposes a plan for your approval." },
  ask: { label: "Ask first", detail: "Asks before it changes or runs anything." },
  edits: { label: "Accept edits", detail: "Edits files without asking, asks for the rest." },
  full: { label: "Full access", detail: "Never asks. For folders you can afford to lose." },
};

/** Uses the agent's own word for the mode, if it has one. */
export function modeLabel(mode: Mode, agent?: Pick<AgentAnswer, "capabilities">): string {
  return ownModeName(mode, agent?.capabilities) ?? words[mode].label;
}

/** Lists all modes; those that cannot be chosen say why. */
export function modeChoices(
  offered: readonly Mode[] | undefined,
  mayApprove: boolean,
  agent?: Pick<AgentAnswer, "capabilities">,
): readonly SelectOption<Mode>[] {
  return modes.map((mode) => {
    const { detail } = words[mode];
    const label = modeLabel(mode, agent);
    const missing = offered !== undefined && !offered.includes(mode);
    const forbidden = !mayApprove && (mode === "edits" || mode === "full");
    const why = missing ? "Not supported by this agent." : forbidden ? "Not allowed by this page's token." : detail;
    return { value: mode, label, detail: why, disabled: missing || forbidden };
  });
}

interface AgentPickerProps {
  /** Id of an agent or of an agent file. */
  readonly value: string | undefined;
  /** Agent files that can be chosen too. */
  readonly files?: readonly AgentFile[] | undefined;
  readonly onChange: (agent: string) => void;
}

type AgentFile = AgentFilesAnswer["files"][number];

export function AgentPicker({ value, files = [], onChange }: AgentPickerProps) {
  const { agents, loading } = useAgents();
  const keys = useTypedKeys();
  const listed = fileOptions(files, agents);
  const withKey = ({ id, installed }: AgentAnswer): boolean => installed && keys.has(id);
  const usable = (agent: AgentAnswer): boolean => agent.ready || withKey(agent);
  const optionOf = (agent: AgentAnswer): SelectOption<string> => ({
    value: agent.id,
    label: agent.name,
    detail: agent.ready ? readyWords(agent) : withKey(agent) ? "Uses the key you entered" : helpWords(agent),
    mark: <Dot tone={agent.ready ? "good" : "neutral"} label={agent.ready ? "ready" : "not ready"} />,
    disabled: !usable(agent),
  });
  return (
    <Select
      label="Agent"
      icon="agent"
      look="quiet"
      value={value}
      placeholder={loading ? "Loading agents" : "Agent"}
      options={[
        ...sorted(agents.filter(usable)).map(optionOf),
        ...listed.filter(({ disabled }) => disabled !== true),
        ...sorted(agents.filter((agent) => !usable(agent))).map(optionOf),
        ...listed.filter(({ disabled }) => disabled === true),
      ]}
      onChange={onChange}
      footer={
        <Button look="quiet" size="small" icon="refresh" busy={loading} onClick={() => void refreshAgents()}>
          Refresh
        </Button>
      }
    />
  );
}

/** Agent files with their colour and description. A file that cannot be used says why. */
export function fileOptions(
  files: readonly AgentFile[],
  agents: readonly AgentAnswer[],
): readonly SelectOption<string>[] {
  return files.map(({ id, path, name, description, color, agent, problem }) => {
    const base = agents.find((one) => one.id === agent);
    const why = problem ?? (base === undefined || base.ready ? undefined : helpWords(base));
    return {
      // Two files may have the same id, and only one of them is used; the other needs a unique value.
      value: problem === undefined ? id : path,
      label: oneLine(name ?? id),
      detail: oneLine(why ?? dotted(description, base?.name)),
      mark: <AgentColour color={color} />,
      disabled: why !== undefined,
    };
  });
}

export function AgentColour({ color }: { readonly color: string | undefined }) {
  const hex = color === undefined ? undefined : agentColour(color);
  return <span className="agent-colour" role="img" aria-label="agent file" style={{ background: hex }} />;
}

function helpWords({ help }: AgentAnswer): string {
  return help?.replaceAll("`", "") ?? "Not ready.";
}

function readyWords({ builtIn, version, signedInHow }: AgentAnswer): string {
  if (builtIn === true) return "Part of Reins: nothing to install.";
  return dotted(version, signedInHow) || "Ready";
}

/** Without agent families; the agents page explains how to add one of their members. */
function sorted(agents: readonly AgentAnswer[]): readonly AgentAnswer[] {
  const single = agents.filter(({ family }) => family !== true);
  return single.sort((a, b) => a.name.localeCompare(b.name));
}

/** Option value for the agent's default model. */
const usual = "";

interface ModelPickerProps {
  readonly agent: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (model: string | undefined) => void;
  readonly disabled?: boolean | undefined;
}

export function ModelPicker({ agent, value, onChange, disabled }: ModelPickerProps) {
  const { models, loading } = useModels(agent);
  const known = models.some(({ id }) => id === value) || value === undefined;
  return (
    <Select
      label="Model"
      icon="spark"
      look="quiet"
      disabled={disabled}
      value={value ?? usual}
      placeholder="Model"
      options={[
        { value: usual, label: "Default model", detail: loading ? "Loading models" : undefined },
        ...(known ? [] : [{ value, label: value }]),
        ...models.map(({ id, label, description }) => ({ value: id, label: label ?? id, detail: description })),
      ]}
      onChange={(model) => onChange(model === usual ? undefined : model)}
    />
  );
}

interface ModePickerProps {
  readonly agent: AgentAnswer | undefined;
  readonly value: Mode | undefined;
  readonly onChange: (mode: Mode) => void;
  readonly disabled?: boolean | undefined;
}

export function ModePicker({ agent, value, onChange, disabled }: ModePickerProps) {
  const mayApprove = may(useMe(), "approve");
  return (
    <Select
      label="Mode"
      icon="shield"
      look="quiet"
      disabled={disabled}
      value={value ?? "ask"}
      warns={value === "full"}
      options={modeChoices(agent?.capabilities.modes, mayApprove, agent)}
      onChange={onChange}
    />
  );
}
