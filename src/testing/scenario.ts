/** The scenario language: what a scripted model answers, as data. `docs/testing.md` is this file for people. */
import { z } from "zod";
import { ReinsError } from "../events/errors.ts";
import { toolSchema } from "../events/schema/base.ts";

const count = z.number().int().positive();
/** How often it happens before the answer goes on as if nothing had been; without it, always. */
const times = count.exactOptional();
const text = z.string().exactOptional();

/** A tool call by canonical tool; the agent's `proof.toolCall` spells it. A relative path stands in the workspace. */
const callSchema = z.strictObject({
  tool: toolSchema,
  path: text,
  text,
  from: text,
  to: text,
  command: text,
  prompt: text,
  background: z.boolean().exactOptional(),
  question: text,
  choices: z.array(z.string()).exactOptional(),
  plan: text,
  server: text,
  name: text,
  input: z.unknown().exactOptional(),
});

const stopSchema = z.enum(["end", "call", "max_tokens", "refusal", "stop_sequence", "context"]);

const usageSchema = z.strictObject({
  /** Without what was read from or written to the cache. */
  input: z.number().exactOptional(),
  output: z.number().exactOptional(),
  cacheRead: z.number().exactOptional(),
  cacheWrite: z.number().exactOptional(),
  /** The part of `output` that was thinking, where the wire tells it. */
  thought: z.number().exactOptional(),
});

const limitSchema = z.strictObject({
  status: z.enum(["ok", "warning", "reached"]),
  window: z.enum(["five_hour", "seven_day"]),
  usedPercent: z.number(),
  resetsInSeconds: z.number(),
});

/** Trouble that every service has, each with a status and words of its own. */
const meaningSchema = z.enum(["key", "credit", "too_long"]);

const errorSchema = z
  .strictObject({
    /** 529 is overload; a service that has no such status sends its own. */
    status: z.number().int().min(400).max(599).exactOptional(),
    /** Instead of a status. */
    meaning: meaningSchema.exactOptional(),
    /** The service's own name of the error; else the usual one. */
    type: text,
    /** Else the service's usual words. */
    message: text,
    headers: z.record(z.string(), z.string()).exactOptional(),
    /** Instead of the body the service would send. */
    body: z.unknown().exactOptional(),
    times,
  })
  .refine(
    (error) => (error.status === undefined) !== (error.meaning === undefined),
    "an error has a status or a meaning",
  );

/** Every word of the language. A line of a step is an object with exactly one of them. */
const words = {
  /** Text. Neighbours are one block, whatever pauses or gates stand between them. */
  say: z.string(),
  think: z.string(),
  /** That many bytes of text. */
  big: z.union([count, z.string()]),
  call: callSchema,
  /** A tool call as the agent's own model would spell it. */
  callNative: z.strictObject({ name: z.string(), input: z.unknown(), namespace: text }),
  /** Cuts what follows into that many pieces. */
  pieces: count,
  /** Waits, in milliseconds. Tests use a gate instead. */
  pause: z.number().int().nonnegative(),
  /** Waits for `model.release(name)`. */
  gate: z.string(),
  /** An HTTP error instead of an answer. */
  error: errorSchema,
  /** Something else answers in the service's place, such as a proxy with a page of its own; an empty text is no body at all. */
  page: z.strictObject({
    status: z.number().int().min(200).max(599).exactOptional(),
    text: z.string(),
    headers: z.record(z.string(), z.string()).exactOptional(),
  }),
  /** The connection is reset before anything is answered. */
  reset: z.literal(true),
  /** The connection dies here. */
  cut: z.union([z.literal(true), z.strictObject({ times })]),
  /** An error inside the stream. A whole (unstreamed) answer has no inside, so there it is skipped. */
  midError: z.strictObject({ type: text, message: text, times }),
  /** Nothing more comes, and the connection stays open. */
  hang: z.literal(true),
  /** Why the answer ends; else `call` after a tool call and `end` without. */
  stop: stopSchema,
  usage: usageSchema,
  headers: z.record(z.string(), z.string()),
  /** What the answer's headers say about a plan's allowance. */
  limit: limitSchema,
  /** First in a step: it is taken, whatever its place, when the newest words to the model have one of these in them. */
  when: z.union([z.string(), z.array(z.string()).min(1)]),
} as const;

export const scenarioWords: readonly string[] = Object.keys(words);

type Words = typeof words;
export type Word = keyof Words;
export type Act = { [W in Word]: { readonly [Key in W]: z.infer<Words[W]> } }[Word];
export type Step = readonly Act[];
export type Stop = z.infer<typeof stopSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type Limit = z.infer<typeof limitSchema>;
export type Meaning = z.infer<typeof meaningSchema>;
export type ScriptedError = z.infer<typeof errorSchema>;
export type ScriptedPage = z.infer<Words["page"]>;

export interface Scenario {
  readonly name: string;
  /** What it shows, in one sentence. */
  readonly about?: string | undefined;
  /** After the last step the first comes again; else the model says "Done.". */
  readonly repeat?: boolean | undefined;
  readonly steps: readonly Step[];
}

const output: readonly Word[] = ["say", "think", "big", "call", "callNative"];
const optionalWords = Object.fromEntries(Object.entries(words).map(([word, schema]) => [word, schema.exactOptional()]));

const actSchema = z.strictObject(optionalWords).superRefine((act, context) => {
  const said = Object.keys(act).length;
  if (said !== 1) context.addIssue({ code: "custom", message: `a line of a step has one word, this has ${said}` });
}) as unknown as z.ZodType<Act>;

const stepSchema = z.array(actSchema).superRefine((step, context) => {
  const firstOutput = step.findIndex((act) => output.some((word) => word in act));
  step.forEach((act, index) => {
    if ("when" in act && index > 0) context.addIssue({ code: "custom", path: [index], message: "`when` stands first" });
    if ("error" in act && firstOutput !== -1 && index > firstOutput)
      context.addIssue({
        code: "custom",
        path: [index],
        message: "`error` stands before any output; `midError` is for after it",
      });
  });
});

export const scenarioSchema: z.ZodType<Scenario> = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "a name is lower-case letters, digits and hyphens"),
  about: z.string().optional(),
  repeat: z.boolean().optional(),
  steps: z.array(stepSchema).min(1),
});

/** Checks scenarios that come from outside; throws one sentence that names the scenario and the place. */
export function parseScenarios(input: unknown): readonly Scenario[] {
  const parsed = z.array(scenarioSchema).safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [index, ...path] = issue?.path ?? [];
  const given: unknown = Array.isArray(input) && typeof index === "number" ? input[index] : undefined;
  const name =
    typeof given === "object" && given !== null && "name" in given ? String(given.name) : String(index ?? "?");
  throw new ReinsError(
    "invalid_input",
    `Scenario ${name} is not valid at ${path.join(".") || "its top"}: ${issue?.message}.`,
  );
}
