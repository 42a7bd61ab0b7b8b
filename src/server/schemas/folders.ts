import { z } from "@hono/zod-openapi";

export const foldersQuery = z.object({
  path: z.string().min(1).max(4_096).describe("Absolute: a folder with a slash behind it, and the beginning of a name"),
});
export const foldersAnswer = z.object({
  folders: z.array(z.string()).describe("Absolute, by their names; 200 at most"),
});

export type FoldersAnswer = z.output<typeof foldersAnswer>;
