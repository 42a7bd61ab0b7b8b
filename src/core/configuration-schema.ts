import { z } from "zod";
import { modes } from "../events/modes.ts";
import type { Configuration } from "./configuration.ts";

const word = z.string().min(1);
const words = z.array(word);

const agentSchema = z.strictObject({
  acp: z.union([word, words.min(1)]).optional(),
  name: word.optional(),
  variables: words.optional(),
  command: z.union([word, words.min(1)]).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(word, z.string()).optional(),
  model: word.optional(),
});

const configurationSchema = z.strictObject({
  agent: word.optional(),
  model: word.optional(),
  mode: z.enum(modes).optional(),
  agents: z
    .record(z.string().regex(/^[a-z0-9-]+$/, "an agent's id is lower-case letters, digits and hyphens"), agentSchema)
    .optional(),
});

export function parseConfiguration(value: unknown): Configuration {
  const parsed = configurationSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${said(issue)}`).join("; "));
}

/** A wrong key says only that it is one; what is wrong with it stands inside. */
function said(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}
