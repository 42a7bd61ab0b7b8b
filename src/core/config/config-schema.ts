/** The configuration as a zod schema: `npm run docs` makes the published JSON schema from it. Loading this file loads zod. */
import { z } from "zod";
import { policySchema } from "../policy/rules-schema.ts";
import { continuable, mostTimes } from "../session/after-turn.ts";
import { modes } from "../../events/modes.ts";
import { leaderKey, uiChoices, uiDefaults } from "../../view/ui-settings.ts";
import { agentColors, type AgentFileFacts } from "./agent-file.ts";
import type { Configuration } from "./config.ts";
import { describeIssue, type LineOf } from "./schema-errors.ts";

const word = z.string().min(1);
const words = z.array(word);
const whole = z.number().int().positive();
const amount = z.number().positive();
const command = z.union([word, words.min(1)], {
  error: "it must be a command line, or an array of a program and its arguments",
});

const routeSchema = z.strictObject({
  patience: z
    .number()
    .nonnegative()
    .optional()
    .describe("Seconds that the end of a limit may be away to be waited for, instead of moving on"),
  afterSideEffects: z
    .enum(["handoff", "stop"])
    .optional()
    .describe("When the turn has changed something already: the next agent goes on, or the turn ends"),
  briefing: z.number().int().min(500).optional().describe("Characters that the next agent is told at most"),
});

const agentSchema = z.strictObject({
  acp: command.optional().describe("The command that speaks ACP: with it this is a further agent"),
  name: word.optional().describe("What people read; with `acp`"),
  variables: words.optional().describe("Names of your variables that it is given as they are; with `acp`"),
  command: command.optional().describe("Another program, instead of the usual one"),
  args: z.array(z.string()).optional().describe("Further arguments of its command line"),
  env: z.record(word, z.string()).optional().describe("Further variables of its environment"),
  model: word.optional().describe("Its model where none is named"),
});

const figures = {
  tokens: whole.optional().describe("Tokens, read from the cache or not"),
  usd: amount.optional().describe("US dollars: the agent's own figure, else worked out from a list of prices"),
  seconds: amount.optional().describe("Seconds that turns took"),
};
const figuresOfMany = { ...figures, turns: whole.optional().describe("Turns") };

export const budgetSchema = z.strictObject({
  turn: z.strictObject(figures).optional().describe("For one turn"),
  session: z.strictObject(figuresOfMany).optional().describe("For one session"),
  day: z.strictObject(figuresOfMany).optional().describe("For all sessions of a day"),
});

export const afterSchema = z.union([word, z.array(command)], {
  error: "it must be a command line, or a list of command lines",
});

export const continueSchema = z
  .strictObject({
    outcome: z.enum(continuable).optional().describe("The turn ended like this"),
    text: word.optional().describe("The last message has these words in it"),
    after: z.enum(["failed", "passed"]).optional().describe("An after-step failed, or all of them passed"),
    prompt: word.optional().describe("What the agent is told next"),
    times: z.number().int().min(1).max(mostTimes).optional().describe("At most this often for one prompt"),
  })
  .refine(({ outcome, text, after }) => (outcome ?? text ?? after) !== undefined, {
    error: "a rule needs at least one of outcome, text and after",
  });

const uiSchema = z.strictObject({
  leader: z
    .string()
    .regex(leaderKey, 'it must be a key such as "ctrl+x", "alt+s" or "f1"')
    .optional()
    .describe(`The key before the keys of Reins; default ${uiDefaults.leader}`),
  breadcrumb: z
    .strictObject({
      placement: z.enum(uiChoices.placement).optional().describe("Where the repository bar stands; default top"),
      pollIntervalMs: z
        .number()
        .int()
        .min(1_000)
        .max(86_400_000)
        .optional()
        .describe(`Milliseconds between two looks at the repository; default ${uiDefaults.breadcrumb.pollIntervalMs}`),
      showAction: z.boolean().optional().describe("Whether the bar offers the next step; default true"),
    })
    .optional()
    .describe("The repository bar"),
  theme: z.enum(uiChoices.theme).optional().describe("The colours; auto asks the terminal or the browser"),
  screen: z
    .enum(uiChoices.screen)
    .optional()
    .describe("The terminal interface takes the whole screen, or stays inline"),
  wrap: z.enum(uiChoices.wrap).optional().describe("Long lines break between words, or anywhere"),
  images: z
    .enum(uiChoices.images)
    .optional()
    .describe("The inline screen draws images where the terminal can; default auto"),
  vi: z.boolean().optional().describe("Keys of vi in the prompt; default false"),
  mouse: z.boolean().optional().describe("Whether the terminal interface takes the mouse; default true"),
});

export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional(),
    agent: word.optional().describe("The agent to use where none is named: an id, or the name of an agent file"),
    model: word.optional().describe("The model to use where none is named; counts for an agent that has it"),
    mode: z.enum(modes).optional().describe("How much an agent may do without asking"),
    agents: z
      .record(z.string().regex(/^[a-z0-9-]+$/, "an agent's id is lower-case letters, digits and hyphens"), agentSchema)
      .optional()
      .describe("What is set for single agents, by id"),
    fallback: words.optional().describe("Who takes over, in this order, when the agent cannot go on"),
    route: routeSchema.optional().describe("How the fallback takes over"),
    budget: budgetSchema.optional().describe("What may be spent; a turn that would go beyond it is ended"),
    after: afterSchema.optional().describe("Commands to run after each turn that is done; no shell"),
    policy: policySchema.optional().describe("Rules about tools"),
    store: z
      .strictObject({
        keepDays: amount.optional().describe("Sessions that were not used for so many days are removed by `reins gc`"),
        maxMb: amount.optional().describe("Above that those that were not used for the longest are removed"),
      })
      .optional()
      .describe("How much is kept; a project cannot say"),
    continue: z.array(continueSchema).optional().describe("When the agent is prompted again by itself"),
    ui: uiSchema.optional().describe("The terminal interface and the page; what you set goes before a project's"),
  })
  .superRefine(({ agent, fallback = [] }, context) => {
    const index = fallback.findIndex((id, index) => id === agent || fallback.indexOf(id) !== index);
    if (index === -1) return;
    const what = fallback[index] === agent ? "falls back to itself" : "stands there twice";
    context.addIssue({ code: "custom", path: ["fallback", index], message: `the agent ${fallback[index]} ${what}` });
  })
  .meta({ title: "Configuration of Reins" });

/** Throws one sentence that names the key, its line, and the nearest key that there is. */
export async function parseConfiguration(value: unknown, findLines: () => Promise<LineOf>): Promise<Configuration> {
  const parsed = configurationSchema.safeParse(value);
  if (!parsed.success) throw new Error(describeIssue(configurationSchema, parsed.error, await findLines()));
  const { $schema: _schema, ...configuration } = parsed.data;
  return configuration;
}

export function configurationJsonSchema(): unknown {
  return z.toJSONSchema(configurationSchema, { io: "input" });
}

// A block of YAML (`|`) ends with the end of its line.
const text = z.string().trim().min(1);
const texts = z.array(text);
const textOrTexts = z.union([text.transform((one) => [one]), texts], { error: "it must be text, or a list of texts" });
const toolFilter = z.strictObject({ allowed: textOrTexts.optional(), disallowed: textOrTexts.optional() });

const agentFileSchema = z.strictObject({
  name: text.optional(),
  description: text.optional(),
  agent: text.optional(),
  model: text.optional(),
  mode: z.enum(modes).optional(),
  tools: toolFilter.optional(),
  firstPromptTools: toolFilter.optional(),
  fallback: textOrTexts.optional(),
  color: z
    .string()
    .refine((color) => /^#[0-9a-f]{6}$/i.test(color) || (agentColors as readonly string[]).includes(color), {
      error: `it must be one of ${agentColors.join(", ")}, or like "#3366cc"`,
    })
    .optional(),
  context: textOrTexts.optional(),
  env: z.record(text, z.union([z.string(), z.number().transform(String), z.boolean().transform(String)])).optional(),
  locale: text.optional(),
  after: afterSchema.optional(),
  continue: continueSchema.optional(),
});

/** Throws one sentence that names the key, its line, and the nearest key that there is. */
export function parseAgentFacts(values: unknown, lineOf: LineOf): AgentFileFacts {
  const parsed = agentFileSchema.safeParse(values);
  if (!parsed.success) throw new Error(describeIssue(agentFileSchema, parsed.error, lineOf));
  const { continue: rule, ...facts } = parsed.data;
  return rule === undefined ? facts : { ...facts, continue: [rule] };
}
