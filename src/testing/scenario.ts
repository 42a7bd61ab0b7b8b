/** The scenario language: what a scripted model answers, as data. `docs/testing.md` explains it. */
import { z } from "zod";
import { ReinsError } from "../events/errors.ts";
import { toolSchema } from "../events/schema/base.ts";

const count = z.number().int().positive();
/** How often the failure happens before the answer continues normally. Default: every time. */
const times = count.exactOptional();
const text = z.string().exactOptional();

/** A tool call by canonical tool; the agent's `proof.toolCall` translates it. Relative paths are in the workspace. */
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
  /** Excludes tokens read from or written to the cache. */
  input: z.number().exactOptional(),
  output: z.number().exactOptional(),
  cacheRead: z.number().exactOptional(),
  cacheWrite: z.number().exactOptional(),
  /** The part of `output` that was thinking, if the wire reports it. */
  thought: z.number().exactOptional(),
});

const limitSchema = z.strictObject({
  status: z.enum(["ok", "warning", "reached"]),
  window: z.enum(["five_hour", "seven_day"]),
  usedPercent: z.number(),
  resetsInSeconds: z.number(),
});

/** Failures that every service has, each with its own status and message. */
const meaningSchema = z.enum(["key", "credit", "too_long"]);

const errorSchema = z
  .strictObject({
    /** 529 is overload; a service without this status sends its own. */
    status: z.number().int().min(400).max(599).exactOptional(),
    /** Use instead of a status. */
    meaning: meaningSchema.exactOptional(),
    /** The service's name of the error. Default: the usual name. */
    type: text,
    /** Default: the service's usual message. */
    message: text,
    headers: z.record(z.string(), z.string()).exactOptional(),
    /** Replaces the body that the service would send. */
    body: z.unknown().exactOptional(),
    times,
  })
  .refine(
    (error) => (error.status === undefined) !== (error.meaning === undefined),
    "an error has a status or a meaning",
  );

/** Every word of the language. A line of a step is an object with exactly one of them. */
const words = {
  /** Text. Neighbouring texts form one block, even with pauses or gates between them. */
  say: z.string(),
  /** Thinking. */
  think: z.string(),
  /** Text of this many bytes. */
  big: z.union([count, z.string()]),
  /** A tool call by canonical tool. */
  call: callSchema,
  /** A tool call in the agent's own format. */
  callNative: z.strictObject({ name: z.string(), input: z.unknown(), namespace: text }),
  /** Cuts the output that follows into this many pieces. */
  pieces: count,
  /** Waits, in milliseconds. Prefer a gate in tests. */
  pause: z.number().int().nonnegative(),
  /** Waits for `model.release(name)`. */
  gate: z.string(),
  /** An HTTP error instead of an answer. */
  error: errorSchema,
  /** Another program answers instead of the service, such as a proxy with a web page. An empty text means no body. */
  page: z.strictObject({
    status: z.number().int().min(200).max(599).exactOptional(),
    text: z.string(),
    headers: z.record(z.string(), z.string()).exactOptional(),
  }),
  /** Resets the connection before any answer. */
  reset: z.literal(true),
  /** Cuts the connection here. */
  cut: z.union([z.literal(true), z.strictObject({ times })]),
  /** An error inside the stream. Skipped in an answer that is not streamed. */
  midError: z.strictObject({ type: text, message: text, times }),
  /** Sends nothing more and keeps the connection open. */
  hang: z.literal(true),
  /** Why the answer ends. Default: `call` after a tool call, otherwise `end`. */
  stop: stopSchema,
  /** Usage figures of the answer. Default: 100 input and 20 output tokens. */
  usage: usageSchema,
  /** Headers of the answer. */
  headers: z.record(z.string(), z.string()),
  /** A plan's usage, reported in the headers of the answer. */
  limit: limitSchema,
  /** Must be first in a step. The step is played, whatever its position, when the newest text to the model contains one of these texts. */
  when: z.union([z.string(), z.array(z.string()).min(1)]),
} as const;

export const scenarioWords: readonly string[] = Object.keys(words);

type Words = typeof words;
export type Word = keyof Words;
/** A line of a step, such as `{ "say": "Hello." }` or `{ "call": { "tool": "read", "path": "a.txt" } }`. */
export type Act = { [W in Word]: { readonly [Key in W]: z.infer<Words[W]> } }[Word];
/** An answer of the model. */
export type Step = readonly Act[];
export type Stop = z.infer<typeof stopSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type Limit = z.infer<typeof limitSchema>;
export type Meaning = z.infer<typeof meaningSchema>;
export type ScriptedError = z.infer<typeof errorSchema>;
export type ScriptedPage = z.infer<Words["page"]>;

/** A scenario of the scripted model. A prompt selects it with `scenario:<name>` (see `scenarioPrompt`). */
export interface Scenario {
  readonly name: string;
  /** A description in one sentence. */
  readonly about?: string | undefined;
  /** Start again with the first step after the last. Default: the model answers "Done.". */
  readonly repeat?: boolean | undefined;
  /** A step for each answer; a step follows when the results of the previous step's tool calls arrive. */
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

/** Validates a scenario. */
export const scenarioSchema: z.ZodType<Scenario> = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "a name is lower-case letters, digits and hyphens"),
  about: z.string().optional(),
  repeat: z.boolean().optional(),
  steps: z.array(stepSchema).min(1),
});

/** Validates scenarios from outside, such as a JSON file. Throws a ReinsError that names the scenario and the position of the mistake. */
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
