/** Tokens, the page's cookie, uploads. */
import { z } from "@hono/zod-openapi";
import { word } from "./common.ts";

export const scopes = ["read", "prompt", "approve", "admin"] as const;
/** `admin` is all of them; `prompt` and `approve` may read too. */
export type Scope = (typeof scopes)[number];

export const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
  })
  .openapi("Token");
export const tokensAnswer = z.object({ tokens: z.array(tokenSchema) });
export const newTokenBody = z.strictObject({
  name: word.max(100),
  scopes: z.array(z.enum(scopes)).min(1),
  days: z.number().positive().max(3_650).optional().describe("Until it expires; default 30"),
});
export const newTokenAnswer = tokenSchema.extend({ token: z.string().describe("Shown this once") });
export const tokenParams = z.object({ id: word });
export const loginBody = z.strictObject({ token: word });
export const meAnswer = tokenSchema.extend({ version: z.string(), cwd: z.string(), roots: z.array(z.string()) });

export const uploadQuery = z.object({ name: word.max(200).optional() });
export const uploadAnswer = z
  .object({ id: z.string(), name: z.string(), mediaType: z.string(), bytes: z.number().int() })
  .openapi("Upload");
export const blobParams = z.object({ ref: word });

export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
}
export interface NewToken extends TokenInfo {
  readonly token: string;
}
/** Who asks, and what this server is. */
export interface MeAnswer extends TokenInfo {
  readonly version: string;
  /** The folder it was started in. */
  readonly cwd: string;
  /** Where this token may work; none: anywhere. */
  readonly roots: readonly string[];
}
export type UploadAnswer = z.output<typeof uploadAnswer>;
