import { z } from "@hono/zod-openapi";
import type { ManagementCommand, McpServerInfo, McpToolInfo, ModelInfo, Verification } from "../../agents/contract.ts";
import type { AgentStatus } from "../../core/api.ts";
import type { AgentFileInfo } from "../../core/config/agent-files.ts";
import { agentId, folder, open, word, type Field } from "./common.ts";

export const modelSchema = z
  .looseObject({ id: z.string(), label: z.string().optional(), default: z.boolean().optional() })
  .openapi("Model");

export const agentSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    experimental: z.boolean(),
    ready: z.boolean(),
    installed: z.boolean(),
    signedIn: z.enum(["yes", "no", "unknown"]),
    version: z.string().optional(),
    help: z.string().optional().describe("What to do next if it is not ready"),
    models: z.array(modelSchema).optional(),
    capabilities: open,
  })
  .openapi("Agent");

export const agentsAnswer = z.object({ agents: z.array(agentSchema) });
export const agentFilesAnswer = z.object({ files: z.array(z.looseObject({ id: z.string(), path: z.string() })) });
export const modelsAnswer = z.object({ models: z.array(modelSchema) });
export const managementAnswer = z.object({ cloud: z.boolean().describe("The agent works in the cloud") });
export const aboutAnswer = z.object({ facts: z.array(z.object({ label: z.string(), value: z.string() })) });
export const verification = z.object({
  outcome: z.enum(["works", "refused", "unreachable", "no_key"]),
  message: z.string(),
});
export const managementCommand = z
  .looseObject({ command: z.string(), args: z.array(z.string()) })
  .describe("A command for a person to run in their own terminal");
export const mcpAnswer = z.object({ servers: z.array(z.looseObject({ name: z.string(), status: z.string() })) });
export const mcpToolsAnswer = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });
export const mcpServer = agentId.extend({ name: word.describe("An MCP server's name") });
export const hooksAnswer = z.object({ hooks: z.array(z.looseObject({ scope: z.string(), state: z.string() })) });
export const hooksBody = z.strictObject({ scope: z.enum(["user", "project"]), cwd: folder.optional() });
export const hooksInfo = z.looseObject({ scope: z.string(), state: z.string() });
export const place = z.strictObject({ cwd: folder.optional() });
export const conversationAnswer = z.object({ state: z.string().describe("The state from which a session can resume") });

export type AgentAnswer = AgentStatus;
export type AgentsAnswer = Field<"agents", readonly AgentStatus[]>;
export type AgentFilesAnswer = Field<"files", readonly AgentFileInfo[]>;
export type McpAnswer = Field<"servers", readonly McpServerInfo[]>;
export type McpToolsAnswer = Field<"tools", readonly McpToolInfo[]>;
export type ModelsAnswer = Field<"models", readonly ModelInfo[]>;
export type VerificationAnswer = Verification;
export type CommandAnswer = ManagementCommand;
