import { z } from "@hono/zod-openapi";
import { word } from "./common.ts";

const path = z.string().min(1).max(4_096).describe("Absolute, within the roots");

export const attachment = z.union([
  z.strictObject({ kind: z.literal("upload"), id: word.describe("What POST /api/uploads gave") }),
  z.strictObject({ kind: z.literal("image"), mediaType: word, data: z.base64(), name: word.optional() }),
  z.strictObject({ kind: z.literal("image"), path, name: word.optional() }),
  z.strictObject({ kind: z.literal("file"), path, name: word.optional() }),
]);

export const prompt = z
  .union([z.string(), z.strictObject({ text: z.string(), attachments: z.array(attachment).max(100).optional() })])
  .openapi("Prompt");

export type PromptBody = z.output<typeof prompt>;
export type AttachmentBody = z.output<typeof attachment>;
