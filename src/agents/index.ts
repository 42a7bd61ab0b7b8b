/**
 * The list of agents. To add one:
 * 1. copy a folder beside this file and adapt it (docs/add-an-agent.md explains each file);
 * 2. add an entry here: the id that users type, the name that is shown, the models that imply the agent, and the
 * import;
 * 3. run its own tests and `npm run check`: no other code changes.
 * When the user names no agent, Reins tries them in this order.
 */
import * as claude from "./claude/models.ts";
import * as claudeAcp from "./claude-acp/models.ts";
import type { AgentEntry } from "./contract.ts";
import * as codex from "./codex/models.ts";
import * as copilot from "./copilot/models.ts";
import * as cursor from "./cursor/models.ts";
import * as gemini from "./gemini/models.ts";
import * as native from "./native/models.ts";
import * as opencode from "./opencode/models.ts";
import * as pi from "./pi/models.ts";
import * as qwen from "./qwen/models.ts";

export { entryFor } from "./configured.ts";

export const agentEntries: readonly AgentEntry[] = [
  {
    id: "claude",
    name: "Claude Code",
    servesModel: claude.servesModel,
    ownModel: claude.ownModel,
    load: () => import("./claude/index.ts"),
  },
  {
    id: "codex",
    name: "Codex",
    servesModel: codex.servesModel,
    load: () => import("./codex/index.ts"),
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    servesModel: gemini.servesModel,
    ownModel: gemini.ownModel,
    load: () => import("./gemini/index.ts"),
  },
  {
    id: "qwen",
    name: "Qwen Code",
    servesModel: qwen.servesModel,
    load: () => import("./qwen/index.ts"),
  },
  {
    id: "opencode",
    name: "OpenCode",
    servesModel: opencode.servesModel,
    ownModel: opencode.ownModel,
    protectedFiles: opencode.protectedFiles,
    load: () => import("./opencode/index.ts"),
  },
  {
    id: "cursor",
    name: "Cursor",
    experimental: true,
    servesModel: cursor.servesModel,
    load: () => import("./cursor/index.ts"),
  },
  {
    id: "copilot",
    name: "GitHub Copilot",
    servesModel: copilot.servesModel,
    ownModel: copilot.ownModel,
    load: () => import("./copilot/index.ts"),
  },
  {
    id: "pi",
    name: "pi",
    servesModel: pi.servesModel,
    load: () => import("./pi/index.ts"),
  },
  {
    id: "native",
    name: "Native",
    servesModel: native.servesModel,
    load: () => import("./native/index.ts"),
  },
  {
    id: "claude-acp",
    name: "Claude Code over ACP",
    experimental: true,
    servesModel: claudeAcp.servesModel,
    ownModel: claudeAcp.ownModel,
    load: () => import("./claude-acp/index.ts"),
  },
  {
    id: "cursor-cloud",
    name: "Cursor Cloud",
    experimental: true,
    load: () => import("./cursor-cloud/index.ts"),
  },
  {
    id: "aider",
    name: "Aider",
    experimental: true,
    load: () => import("./aider/index.ts"),
  },
  {
    id: "acp",
    name: "Any ACP agent",
    family: true,
    experimental: true,
    load: () => import("./acp/index.ts"),
  },
  {
    id: "demo",
    name: "Demo",
    builtIn: true,
    servesModel: (model) => model === "scripted",
    load: () => import("./demo/index.ts"),
  },
];
