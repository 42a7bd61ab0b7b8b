/** Entry of the events folder. It loads no zod: the schemas are in `schema/`, their types are exported here. */
export { toolForName } from "./aliases.ts";
export { canonicalInput } from "./canonical-input.ts";
export type { Capabilities, Hold } from "./capabilities.ts";
export { type Clipped, clipText } from "./clip.ts";
export { fitColumns } from "./columns.ts";
export { type Deadlines, defaultDeadlines } from "./deadlines.ts";
export {
  type ErrorCode,
  errorCodes,
  type ErrorDetails,
  errorInfo,
  type ErrorInfo,
  errorTable,
  isReinsError,
  ReinsError,
  toReinsError,
} from "./errors.ts";
export {
  checkLaws,
  compareReplay,
  createLawChecker,
  type LawChecker,
  type LawNumber,
  type LawOptions,
  neverThrows,
  type Violation,
} from "./laws.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { type Mode, modes } from "./modes.ts";
export { shownPath } from "./paths.ts";
export { oneLine, printable, stripAnsi } from "./printable.ts";
export { createRedactor, type Redactor, type StreamRedactor } from "./redact.ts";
export { type TitleContext, titleOf } from "./titles.ts";
export { type CanonicalInput, kinds, type Tool, toolKinds, type ToolKind, tools } from "./tools.ts";
export type * from "./types.ts";
