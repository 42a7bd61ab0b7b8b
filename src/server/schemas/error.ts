/** The one shape in which anything that went wrong is told. */
import { z } from "@hono/zod-openapi";
import { errorCodes } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";

export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string().describe("One plain sentence"),
      retryable: z.boolean().optional().describe("Trying again can help"),
      agent: z.string().optional(),
      resetsAt: z.string().optional().describe("When a limit is over"),
      help: z.string().optional().describe("What to do next"),
    }),
  })
  .openapi("Error");

export interface ErrorAnswer {
  readonly error: Omit<ErrorInfo, "retryable"> & { readonly retryable?: boolean | undefined };
}
