/** A file of its own, so that the command line can be parsed without loading the exporters. */
export const exportFormats = ["md", "jsonl", "html"] as const;
export type ExportFormat = (typeof exportFormats)[number];
