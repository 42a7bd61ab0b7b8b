/** `reins`: one interface for every coding agent. Start with `createReins()`. */
export { createReins } from "./core/reins.ts";
export type {
  AgentStatus,
  ImportResult,
  Cloud,
  Comparison,
  ChangedFile,
  ComparisonDetails,
  ComparisonEntry,
  ComparisonsApi,
  ContextRequest,
  EntryChanges,
  EntryState,
  KeepAnswer,
  KeptEntry,
  KeptSessions,
  ListedRule,
  NewComparison,
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
  RunningAgent,
  Session,
  SessionDetails,
  SessionOptions,
  TriedCall,
  Turn,
  TurnOptions,
  TurnResult,
  Usage,
  WarmOptions,
} from "./core/api.ts";
export type {
  AboutFact,
  Agent,
  AgentContext,
  AgentEntry,
  AgentHistory,
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
  PastEvent,
  PastPrompt,
  PastSession,
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
  ReceiveWebhook,
  RemoteOptions,
  WebhookAnswer,
} from "./agents/shared/remote.ts";
export type { HooksInfo, HooksManagement, HooksScope } from "./agents/shared/hooks.ts";
export type { AfterSteps } from "./core/session/after-steps.ts";
export type { CloudTarget, CloudTargetChoice } from "./view/cloud.ts";
export type { RepositoryActionRequest, RepositoryActionResult, SkillSource } from "./view/repository-actions.ts";
export type { RepositorySkill } from "./view/repository-skills.ts";
export type { ChecksStatus, RepositoryAction, RepositoryState, RepositoryStatus } from "./view/repository.ts";
export type { AgentFileInfo } from "./core/config/agent-files.ts";
export type { Budget, BudgetScope, Figures } from "./core/budget/budget.ts";
export type { ContinueRule } from "./core/session/after-turn.ts";
export type { Decision, OneOrMore, Rule, Source } from "./core/policy/rule.ts";
export type { BrokenAnswer, Capabilities, Hold } from "./events/capabilities.ts";
export type { Deadlines } from "./events/deadlines.ts";
export { errorTable, isReinsError, ReinsError } from "./events/errors.ts";
export type { ErrorCode, ErrorInfo } from "./events/errors.ts";
export type { Limits } from "./events/limits.ts";
export { modes } from "./events/modes.ts";
export type { Mode } from "./events/modes.ts";
export type { Tool, ToolKind } from "./events/tools.ts";
export type {
  AgentEvent,
  AttachmentRef,
  Content,
  EventOf,
  EventType,
  Location,
  Outcome,
  PermissionOption,
  PlanEntry,
  Question,
  ReinsEvent,
  TaskStatus,
  Tokens,
  ToolOutput,
} from "./events/types.ts";
export type { AgentFile, AgentFileFacts } from "./core/config/agent-file.ts";
export type {
  BreakerRow,
  Collected,
  CollectOptions,
  Forbidden,
  LimitRow,
  SearchHit,
  SearchOptions,
  SessionFilter,
  StoredLeg,
  StoredSession,
  StoredTurn,
  UsageRow,
} from "./core/log/types.ts";
export type {
  SecondChannel,
  Borrowed,
  BorrowedInfo,
  BorrowSpec,
  Child,
  Exit,
  Held,
  HeldProcess,
  HeldSpec,
  LaunchSpec,
  LineBatch,
  Output,
  UserFiles,
  Processes,
  StartHeld,
} from "./process/types.ts";
export type { Redactor, StreamRedactor } from "./events/redact.ts";
