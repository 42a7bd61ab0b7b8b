import { z } from "@hono/zod-openapi";
import { errorCodes, type ErrorInfo } from "../../events/errors.ts";
import { modes } from "../../events/modes.ts";

type Immutable<Value> = Value extends object ? { readonly [Key in keyof Value]: Immutable<Value[Key]> } : Value;

/** The type that a schema describes, read-only. */
export type Output<Schema extends z.ZodType> = Immutable<z.output<Schema>>;
/** An answer with one field. */
export type Field<Name extends string, Value> = Readonly<Record<Name, Value>>;

export const word = z.string().min(1).max(1_000);
export const folder = z.string().min(1).max(4_096).describe("An absolute path of a folder");
export const mode = z.enum(modes).describe("How much an agent may do without asking");
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const agentId = z.object({ id: word.describe("An agent's id") });
export const sessionId = z.object({ id: word.describe("A session's id, the beginning of it, or an agent's own id") });
export const inFolder = z.object({ cwd: folder.optional() });
export const freshly = z.object({ fresh: flag.optional().describe("Ignore the cache and ask now") });

/** An integer in a path or query. */
export const number = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

export const nothing = z.object({}).describe("Nothing");
/** An object as the library returns it; the TypeScript types have the details. */
export const open = z.looseObject({});
export const text = z.string();
export const healthAnswer = z.object({ status: z.literal("ok") });

/** The shape of every error. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string().describe("One plain sentence"),
      retryable: z.boolean().optional().describe("Retrying can help"),
      agent: z.string().optional(),
      resetsAt: z.string().optional().describe("When a limit resets"),
      help: z.string().optional().describe("What to do next"),
    }),
  })
  .openapi("Error");

export interface ErrorAnswer {
  readonly error: Omit<ErrorInfo, "retryable"> & { readonly retryable?: boolean | undefined };
}

export const foldersQuery = z.object({
  path: z
    .string()
    .min(1)
    .max(4_096)
    .describe("An absolute path: a folder with a trailing slash, and the beginning of a name"),
});
export const foldersAnswer = z.object({
  folders: z.array(z.string()).describe("Absolute paths, sorted by name; at most 200"),
});

export type FoldersAnswer = z.output<typeof foldersAnswer>;

const path = z.string().min(1).max(4_096).describe("An absolute path within the roots");

export const attachment = z.union([
  z.strictObject({ kind: z.literal("upload"), id: word.describe("The id from POST /api/uploads") }),
  z.strictObject({ kind: z.literal("image"), mediaType: word, data: z.base64(), name: word.optional() }),
  z.strictObject({ kind: z.literal("image"), path, name: word.optional() }),
  z.strictObject({ kind: z.literal("file"), path, name: word.optional() }),
]);

export const prompt = z
  .union([z.string(), z.strictObject({ text: z.string(), attachments: z.array(attachment).max(100).optional() })])
  .openapi("Prompt");

export type PromptBody = z.output<typeof prompt>;
export type AttachmentBody = z.output<typeof attachment>;
