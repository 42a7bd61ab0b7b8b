/** Terminals: programs with an interface of their own, kept by a holder process. */
import { z } from "@hono/zod-openapi";
import { folder, word, type Output } from "./common.ts";

const argument = z
  .string()
  .max(100_000)
  .refine((text) => !text.includes("\0"), "it contains a zero byte");

export const terminalId = z.object({ id: word.describe("A terminal's id, or the beginning of it") });

export const terminalBody = z
  .strictObject({
    agent: word.optional().describe("The agent whose own interface to start"),
    args: z.array(argument).max(1_000).optional().describe("Additional arguments for its program"),
    command: z
      .array(argument)
      .min(1)
      .max(1_000)
      .optional()
      .describe("Instead of an agent: a program and its arguments"),
    cwd: folder.optional(),
  })
  .refine(({ agent, command }) => (agent === undefined) !== (command === undefined), "name an agent or a command")
  .refine(({ args, command }) => args === undefined || command === undefined, "a command has its own arguments");

export const terminal = z
  .object({
    id: z.string().describe("Also the id of its session"),
    agent: z.string(),
    argv: z.array(z.string()),
    cwd: z.string(),
    startedAt: z.string(),
  })
  .openapi("Terminal");

export const terminalsAnswer = z.object({ terminals: z.array(terminal).describe("The newest first") });

export const terminalScreen = terminal.extend({
  screen: z.object({
    columns: z.number().int().describe("0 before the first viewer"),
    rows: z.number().int(),
    lines: z.array(z.string()).describe("Text without control characters"),
  }),
});

export type TerminalInfo = Output<typeof terminal>;
export type TerminalScreen = Output<typeof terminalScreen>;
export type TerminalBody = Output<typeof terminalBody>;
