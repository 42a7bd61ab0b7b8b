/** The zod schema of the configuration. `npm run docs` generates the published JSON schema from it. Importing this file loads zod. */
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
    .describe("When a limit resets within this many seconds, wait instead of switching to the next agent"),
  afterSideEffects: z
    .enum(["handoff", "stop"])
    .optional()
    .describe("When the turn already changed something: the next agent continues (handoff), or the turn ends (stop)"),
  briefing: z.number().int().min(500).optional().describe("Maximum characters of the briefing for the next agent"),
});

const agentSchema = z.strictObject({
  acp: command.optional().describe("The command of an agent that speaks ACP; defines an additional agent"),
  name: word.optional().describe("Name for people; with `acp`"),
  variables: words.optional().describe("Names of your environment variables to pass to the agent; with `acp`"),
  command: command.optional().describe("Program to run instead of the usual one"),
  args: z.array(z.string()).optional().describe("Additional command line arguments"),
  env: z.record(word, z.string()).optional().describe("Additional environment variables"),
  model: word.optional().describe("Default model of this agent"),
});

const figures = {
  tokens: whole.optional().describe("Tokens, including cached ones"),
  usd: amount.optional().describe("US dollars, as the agent reports them or calculated from a price list"),
  seconds: amount.optional().describe("Seconds that turns took"),
};
const figuresOfMany = { ...figures, turns: whole.optional().describe("Number of turns") };

export const budgetSchema = z.strictObject({
  turn: z.strictObject(figures).optional().describe("Limits for one turn"),
  session: z.strictObject(figuresOfMany).optional().describe("Limits for one session"),
  day: z.strictObject(figuresOfMany).optional().describe("Limits for all sessions of a day"),
});

export const afterSchema = z.union([word, z.array(command)], {
  error: "it must be a command line, or a list of command lines",
});

export const continueSchema = z
  .strictObject({
    outcome: z.enum(continuable).optional().describe("How the turn ended"),
    text: word.optional().describe("The last message contains this text"),
    after: z.enum(["failed", "passed"]).optional().describe("An after-step failed, or all passed"),
    prompt: word.optional().describe("The prompt to send"),
    times: z.number().int().min(1).max(mostTimes).optional().describe("Maximum number of times for one prompt"),
  })
  .refine(({ outcome, text, after }) => (outcome ?? text ?? after) !== undefined, {
    error: "a rule needs at least one of outcome, text and after",
  });

const uiSchema = z.strictObject({
  leader: z
    .string()
    .regex(leaderKey, 'it must be a key such as "ctrl+x", "alt+s" or "f1"')
    .optional()
    .describe(`Leader key: press it before a shortcut of Reins; default ${uiDefaults.leader}`),
  breadcrumb: z
    .strictObject({
      placement: z.enum(uiChoices.placement).optional().describe("Position of the repository bar; default top"),
      pollIntervalMs: z
        .number()
        .int()
        .min(1_000)
        .max(86_400_000)
        .optional()
        .describe(`Milliseconds between two checks of the repository; default ${uiDefaults.breadcrumb.pollIntervalMs}`),
      showAction: z.boolean().optional().describe("Show the suggested next step in the bar; default true"),
    })
    .optional()
    .describe("The repository bar"),
  theme: z.enum(uiChoices.theme).optional().describe("Colour theme; auto asks the terminal or the browser"),
  screen: z.enum(uiChoices.screen).optional().describe("The terminal interface uses the whole screen, or stays inline"),
  wrap: z.enum(uiChoices.wrap).optional().describe("Break long lines between words, or anywhere"),
  images: z
    .enum(uiChoices.images)
    .optional()
    .describe("Draw images on the inline screen when the terminal supports them; default auto"),
  vi: z.boolean().optional().describe("Use vi keys in the prompt; default false"),
  mouse: z.boolean().optional().describe("Use the mouse in the terminal interface; default true"),
});

export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional(),
    agent: word.optional().describe("Default agent: an id, or the name of an agent file"),
    model: word.optional().describe("Default model; used by agents that offer it"),
    mode: z.enum(modes).optional().describe("How much an agent may do without asking"),
    agents: z
      .record(z.string().regex(/^[a-z0-9-]+$/, "an agent's id is lower-case letters, digits and hyphens"), agentSchema)
      .optional()
      .describe("Settings of single agents, by id"),
    fallback: words.optional().describe("Agents that take over, in this order, when the agent cannot continue"),
    route: routeSchema.optional().describe("How a fallback agent takes over"),
    budget: budgetSchema.optional().describe("Limits on spending; a turn that would exceed one is ended"),
    after: afterSchema.optional().describe("Commands to run after each successful turn, without a shell"),
    policy: policySchema.optional().describe("Permission rules for tools"),
    store: z
      .strictObject({
        keepDays: amount.optional().describe("`reins gc` removes sessions that were not used for this many days"),
        maxMb: amount.optional().describe("`reins gc` removes the longest unused sessions above this size"),
      })
      .optional()
      .describe("Limits of the session store; ignored in a project's file"),
    continue: z.array(continueSchema).optional().describe("When to prompt the agent again automatically"),
    ui: uiSchema.optional().describe("Terminal interface and web page; your own settings override a project's"),
  })
  .superRefine(({ agent, fallback = [] }, context) => {
    const index = fallback.findIndex((id, index) => id === agent || fallback.indexOf(id) !== index);
    if (index === -1) return;
    const what = fallback[index] === agent ? "falls back to itself" : "occurs twice";
    context.addIssue({ code: "custom", path: ["fallback", index], message: `the agent ${fallback[index]} ${what}` });
  })
  .meta({ title: "Configuration of Reins" });

/** Throws one sentence that names the key, its line, and the closest valid key. */
export async function parseConfiguration(value: unknown, findLines: () => Promise<LineOf>): Promise<Configuration> {
  const parsed = configurationSchema.safeParse(value);
  if (!parsed.success) throw new Error(describeIssue(configurationSchema, parsed.error, await findLines()));
  const { $schema: _schema, ...configuration } = parsed.data;
  return configuration;
}

export function configurationJsonSchema(): unknown {
  return z.toJSONSchema(configurationSchema, { io: "input" });
}

// Trim: a YAML block (`|`) ends with a newline.
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

/** Throws one sentence that names the key, its line, and the closest valid key. */
export function parseAgentFacts(values: unknown, lineOf: LineOf): AgentFileFacts {
  const parsed = agentFileSchema.safeParse(values);
  if (!parsed.success) throw new Error(describeIssue(agentFileSchema, parsed.error, lineOf));
  const { continue: rule, ...facts } = parsed.data;
  return rule === undefined ? facts : { ...facts, continue: [rule] };
}
