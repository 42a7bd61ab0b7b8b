/** Reins: one set of reins for every coding agent. */
export { createReins } from "./core/reins.ts";
export type {
  AgentStatus,
  Cloud,
  ContextRequest,
  ListedRule,
  Management,
  PermissionReply,
  PermissionRequest,
  PolicyTrial,
  PolicyView,
  Prompt,
  QuestionReply,
  QuestionRequest,
  Reins,
  ReinsOptions,
  RouteOptions,
  Session,
  SessionOptions,
  TriedCall,
  Turn,
  TurnOptions,
  TurnResult,
  WarmOptions,
} from "./core/api.ts";
export type {
  AboutFact,
  Agent,
  AgentContext,
  AgentEntry,
  AgentManagement,
  AgentModule,
  AgentSession,
  Answer,
  Attachment,
  ContextOptions,
  HistoryMessage,
  HoldAnswer,
  ManagementAction,
  ManagementCommand,
  McpManagement,
  McpServer,
  McpServerInfo,
  McpToolInfo,
  ModelContext,
  ModelInfo,
  OpenOptions,
  PermissionAnswer,
  Place,
  PromptInput,
  Proof,
  ProofLimit,
  ProofToolCall,
  QuestionAnswer,
  Readiness,
  SpelledToolCall,
  ToolFilter,
  Verification,
} from "./agents/contract.ts";
export type {
  CloudAccount,
  CloudAgent,
  CloudArtifact,
  CloudBranch,
  CloudListOptions,
  CloudManagement,
  CloudPage,
  CloudRunUsage,
  RemoteOptions,
  WebhookAnswer,
  WebhookCall,
  WebhookEvent,
  WebhookManagement,
} from "./agents/shared/cloud.ts";
export type { HooksInfo, HooksManagement, HooksScope } from "./agents/shared/hooks.ts";
export type { AfterSteps } from "./core/after.ts";
export type { AgentFileInfo } from "./core/agent-file-info.ts";
export type { Budget, Figures } from "./core/budget.ts";
export type { ContinueRule } from "./core/continue.ts";
export type { Decision, Rule } from "./core/policy/rule.ts";
export type { Capabilities, Hold } from "./events/capabilities.ts";
export type { Deadlines } from "./events/deadlines.ts";
export { errorTable, isReinsError, ReinsError } from "./events/errors.ts";
export type { ErrorCode, ErrorInfo } from "./events/errors.ts";
export type { Limits } from "./events/limits.ts";
export { modes } from "./events/modes.ts";
export type { Mode } from "./events/modes.ts";
export type { Tool, ToolKind } from "./events/tools.ts";
export type {
  AgentEvent,
  Content,
  EventOf,
  EventType,
  Location,
  Outcome,
  PermissionOption,
  PlanEntry,
  Question,
  ReinsEvent,
  Tokens,
  ToolOutput,
} from "./events/types.ts";
