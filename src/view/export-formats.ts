/** Export formats. In a file of its own, so that a command line can be read without loading the rest. */
export const exportFormats = ["md", "jsonl", "html"] as const;
export type ExportFormat = (typeof exportFormats)[number];
