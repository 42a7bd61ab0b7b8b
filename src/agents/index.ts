/**
 * The one list of agents. To add one:
 * 1. copy a folder beside this file and make it the new agent's (docs/add-an-agent.md says what each file is for);
 * 2. add one entry here: the id people type, the name they read, the models that imply it, and the import;
 * 3. run its own tests and `npm run check`: the rest of the house needs no change.
 * The order is the order of choice when nobody names an agent.
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

/** An agent that a person named in the configuration. */
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
