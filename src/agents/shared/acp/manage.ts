/** Looking after an agent of which only the command is known: ACP has no words for it, so the agent's own means are what there is. */
import type { AgentManagement } from "../../contract.ts";

export function acpManagement(name: string, command: string): AgentManagement {
  const inSettings = `Change it in the settings of ${name}, or hand servers over when a session is opened (\`mcpServers\`).`;
  return {
    about: async () => [
      { label: "spoken to by", value: "ACP on its standard input and output" },
      { label: "command", value: command },
    ],
    instead: {
      login: `Sign in with ${name}'s own command, or hand over the variable that holds its key.`,
      logout: `Sign out with ${name}'s own command, or unset the variable that holds its key.`,
      update: `Update ${name} the way it was installed.`,
      models: "Only a session tells them: ask for any model, and the refusal lists what it has.",
      verify: "Send it a short prompt: ACP has no way to try a key.",
      "mcp.list": `Look into the settings of ${name}: ACP does not tell its servers.`,
      "mcp.enable": inSettings,
      "mcp.disable": inSettings,
      "mcp.login": `Sign in to the server with ${name}'s own command.`,
    },
  };
}
