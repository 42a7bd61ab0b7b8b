/** The front matter of an agent file as a zod schema. Loading this file loads zod. */
import { z } from "zod";
import { modes } from "../events/modes.ts";
import { agentColors } from "./agent-file.ts";
import type { AgentFileFacts } from "./agent-file.ts";
import { afterSchema, continueSchema } from "./configuration-schema.ts";
import { sentenceOf } from "./faults.ts";
import type { LineOf } from "./faults.ts";

const word = z.string().min(1);
const words = z.array(word);
const wordOrWords = z.union([word.transform((one) => [one]), words], { error: "it must be text, or a list of texts" });
const toolFilter = z.strictObject({ allowed: wordOrWords.optional(), disallowed: wordOrWords.optional() });

const agentFileSchema = z.strictObject({
  name: word.optional(),
  description: word.optional(),
  agent: word.optional(),
  model: word.optional(),
  mode: z.enum(modes).optional(),
  tools: toolFilter.optional(),
  firstPromptTools: toolFilter.optional(),
  fallback: wordOrWords.optional(),
  color: z
    .string()
    .refine((color) => /^#[0-9a-f]{6}$/i.test(color) || (agentColors as readonly string[]).includes(color), {
      error: `it must be one of ${agentColors.join(", ")}, or like "#3366cc"`,
    })
    .optional(),
  context: wordOrWords.optional(),
  env: z.record(word, z.union([z.string(), z.number().transform(String), z.boolean().transform(String)])).optional(),
  locale: word.optional(),
  after: afterSchema.optional(),
  continue: continueSchema.optional(),
});

/** Throws one sentence that names the key, its line, and the nearest key that there is. */
export function parseAgentFacts(values: unknown, lineOf: LineOf): AgentFileFacts {
  const parsed = agentFileSchema.safeParse(values);
  if (!parsed.success) throw new Error(sentenceOf(agentFileSchema, parsed.error, lineOf));
  const { continue: rule, ...facts } = parsed.data;
  return rule === undefined ? facts : { ...facts, continue: [rule] };
}
