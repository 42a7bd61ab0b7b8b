export { safeAddress } from "./address.ts";
export { markdownDocument, type MarkdownDocument } from "./document.ts";
export type { Align, Block, Inline, ListItem } from "./nodes.ts";
