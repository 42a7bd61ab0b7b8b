/** What several resources share. */
import { z } from "@hono/zod-openapi";
import { modes } from "../../events/modes.ts";

export const word = z.string().min(1).max(1_000);
export const folder = z.string().min(1).max(4_096).describe("A folder, absolute");
export const mode = z.enum(modes).describe("How much an agent may do without asking");
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const agentId = z.object({ id: word.describe("An agent's id") });
export const sessionId = z.object({ id: word.describe("A session's id, the beginning of it, or an agent's own id") });
export const inFolder = z.object({ cwd: folder.optional() });
export const freshly = z.object({ fresh: flag.optional().describe("Ask now, and do not remember") });

/** A whole number in an address. */
export const number = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

export const nothing = z.object({}).describe("Nothing");
/** What is as the library gives it; its types tell the rest. */
export const open = z.looseObject({});
export const text = z.string();
export const healthAnswer = z.object({ status: z.literal("ok") });
