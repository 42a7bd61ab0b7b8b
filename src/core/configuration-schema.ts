import { z } from "zod";
import { modes } from "../events/modes.ts";
import type { Configuration } from "./configuration.ts";

const configurationSchema = z.strictObject({
  agent: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  mode: z.enum(modes).optional(),
});

export function parseConfiguration(value: unknown): Configuration {
  const parsed = configurationSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`).join("; "));
}
