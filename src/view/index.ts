/** Renders events as text and rows for people. Pure functions that depend only on src/events. */
export { oneLine, printable, stripAnsi } from "../events/printable.ts";
export { type ConversationBuilder, conversation, createConversation } from "./conversation.ts";
export { exportFormats, type ExportFormat } from "./export-formats.ts";
export { exportSession } from "./export.ts";
export { eventLine } from "./lines.ts";
export { markdown } from "./markdown.ts";
export type * from "./model.ts";
export type { RenderOptions } from "./lines.ts";
export { plainText } from "./text.ts";
