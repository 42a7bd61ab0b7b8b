/** MCP servers of an agent: their state, their tools on demand, and changes to the agent's own settings. */
import { useState } from "react";
import { oneLine } from "../../events/printable.ts";
import type { CommandAnswer, McpAnswer, McpToolsAnswer } from "../../server/schemas/agents.ts";
import { commandLine } from "../../view/command-line.ts";
import { mcpVerdict, type McpState } from "../../view/slash/facts.ts";
import { useAgentNames } from "../state/agents.ts";
import { useRemote } from "../state/remote.ts";
import { call, may, sentenceOf, useMe } from "../state/server.ts";
import { Badge, Button, Disclosure, Dot, Pending, type Tone } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Trouble } from "../ui/form.tsx";
import "./mcp-panel.css";

interface McpProps {
  /** An agent id. */
  readonly agent: string;
  /** Folder in which project servers are looked up. */
  readonly cwd: string | undefined;
}

type Server = McpAnswer["servers"][number];

const tones: Readonly<Record<McpState, Tone>> = {
  loaded: "good",
  "not loaded": "warn",
  error: "bad",
  unknown: "neutral",
};

const query = (cwd: string | undefined): string => (cwd === undefined ? "" : `?cwd=${encodeURIComponent(cwd)}`);

export function McpPanel({ agent, cwd }: McpProps) {
  const path = `/api/agents/${encodeURIComponent(agent)}/mcp`;
  const { value, error, reload } = useRemote<McpAnswer>(path + query(cwd));
  if (value === undefined) return <Pending error={error} words="Loading MCP servers…" />;
  const { servers } = value;
  return (
    <div className="mcp">
      {error !== undefined && <Trouble text={sentenceOf(error)} />}
      {servers.length === 0 && <p className="quiet-words">No MCP servers are set up for this agent.</p>}
      <ul className="mcp-servers">
        {servers.map((server) => (
          <ServerRow
            key={server.name}
            server={server}
            path={`${path}/${encodeURIComponent(server.name)}`}
            cwd={cwd}
            onChanged={reload}
          />
        ))}
      </ul>
      <Button size="small" look="quiet" icon="refresh" onClick={reload}>
        Refresh
      </Button>
    </div>
  );
}

interface ServerRowProps extends Pick<McpProps, "cwd"> {
  readonly server: Server;
  /** Path of the server in the API. */
  readonly path: string;
  readonly onChanged: () => void;
}

function ServerRow({ server, path, cwd, onChanged }: ServerRowProps) {
  const mayChange = may(useMe(), "admin");
  const [busy, setBusy] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const [command, setCommand] = useState<string>();
  const { state, reason } = mcpVerdict(server);
  const name = oneLine(server.name);
  const change = async (what: "enable" | "disable" | "login"): Promise<void> => {
    setBusy(what);
    setTrouble(undefined);
    try {
      if (what === "login") setCommand(commandLine(await call<CommandAnswer>("POST", `${path}/login`)));
      else {
        await call("POST", `${path}/${what}`, { ...(cwd !== undefined && { cwd }) });
        onChanged();
      }
    } catch (thrown) {
      setTrouble(sentenceOf(thrown));
    }
    setBusy(undefined);
  };
  const act = (what: "enable" | "disable" | "login", label: string) => (
    <Button size="small" aria-label={`${label} ${name}`} busy={busy === what} onClick={() => void change(what)}>
      {label}
    </Button>
  );
  return (
    <li className="mcp-server">
      <div className="mcp-head">
        <Dot tone={tones[state]} />
        <bdi className="mcp-name">{name}</bdi>
        <Badge tone={tones[state]}>{state}</Badge>
        {mayChange && (
          <div className="mcp-actions">
            {server.status === "needs_login" && act("login", "Log in")}
            {server.status === "disabled" ? act("enable", "Enable") : act("disable", "Disable")}
          </div>
        )}
      </div>
      {reason !== undefined && (
        <p className="mcp-reason" dir="auto">
          {oneLine(reason)}
        </p>
      )}
      {command !== undefined && (
        <div className="mcp-command">
          <p>Run this in a terminal on the server's machine, then refresh:</p>
          <code>{command}</code>
          <CopyButton text={() => command} label="Copy command" />
        </div>
      )}
      <Trouble text={trouble} />
      {server.status !== "disabled" && (
        <Disclosure summary={<span>Tools</span>}>{() => <ServerTools path={path} cwd={cwd} />}</Disclosure>
      )}
    </li>
  );
}

/** Loaded when opened: the agent may have to start the server to list its tools. */
function ServerTools({ path, cwd }: Pick<ServerRowProps, "path" | "cwd">) {
  const { value, error } = useRemote<McpToolsAnswer>(`${path}/tools${query(cwd)}`);
  if (value === undefined) return <Pending error={error} words="Loading tools…" />;
  if (value.tools.length === 0) return <p className="quiet-words">No tools.</p>;
  return (
    <ul className="mcp-tools">
      {value.tools.map(({ name, parameters = [] }) => (
        <li key={name}>
          <code>{oneLine(name)}</code>
          {parameters.length > 0 && <small>{oneLine(parameters.join(", "))}</small>}
        </li>
      ))}
    </ul>
  );
}

export function McpDialog({ onClose, ...of }: McpProps & { readonly onClose: () => void }) {
  const name = useAgentNames()(of.agent);
  return (
    <Dialog title={`MCP Servers (${name})`} wide onClose={onClose}>
      <McpPanel {...of} />
    </Dialog>
  );
}
