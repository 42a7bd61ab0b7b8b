/** The demo agent's own tools: one row per tool, from its canonical name to its work. */
import { readdir, type FileHandle } from "node:fs/promises";
import { titleOf } from "../../events/titles.ts";
import type { CanonicalInput, Tool } from "../../events/tools.ts";
import { childEnvironment } from "../../process/index.ts";
import type { Located } from "../../workspace/real-paths.ts";
import { changeFile, previewChange, type Change } from "../shared/in-process/located-files.ts";
import { runProgram } from "../shared/in-process/run-program.ts";
import { sleepOrEnd, ToolProblem } from "../shared/in-process/stop-turn.ts";
import { approvePlan, callTool, type Done, type Running } from "../shared/in-process/tool-call.ts";
import type { Turn } from "./session.ts";
import { splitWords } from "./words.ts";

interface NotedDone extends Done {
  /** A few words about the completed action: "Read a.txt". */
  readonly note: string;
}

interface DemoTool<Input> {
  readonly tool: Tool;
  /** The fields of the input, to check a changed one. */
  readonly fields: { readonly [Name in keyof Input]: "string" | "number" };
  /** The fields that the title needs, when they differ from those of the input. */
  readonly about?: (input: Input) => CanonicalInput;
  /** True for tools that touch the folder: the policy decides about them. */
  readonly held?: boolean;
  readonly path?: (input: Input) => string;
  readonly change?: (input: Input) => Change;
  readonly run: (turn: Turn, input: Input, running: Running) => Promise<NotedDone>;
}

const tool = <Input>(definition: DemoTool<Input>): DemoTool<Input> => definition;
const path = (input: { readonly path: string }): string => input.path;

export const tools = {
  list: tool<Record<string, never>>({
    tool: "list",
    fields: {},
    about: () => ({ path: "." }),
    held: true,
    run: async (turn) => {
      const entries = await readdir(turn.context.options.cwd, { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      return { text: names.join("\n"), note: `Listed ${names.length} ${names.length === 1 ? "entry" : "entries"}` };
    },
  }),
  read: tool<{ path: string }>({
    tool: "read",
    fields: { path: "string" },
    held: true,
    path,
    run: async (turn, input, { allowed }) => {
      await using file = await turn.context.files.open(input.path, allowed);
      return { ...(await readHead(file, turn.context.host.limits.inlineBytes)), note: `Read ${input.path}` };
    },
  }),
  write: tool<{ path: string; text: string }>({
    tool: "write",
    fields: { path: "string", text: "string" },
    held: true,
    path,
    change:
      ({ text }) =>
      () =>
        text,
    run: async (turn, input, running) => {
      const op = await changeFile(turn, running, input.path, () => input.text);
      const text = op === "create" ? `${input.path} is new.` : `${input.path} was overwritten.`;
      return { text, note: `Wrote ${input.path}` };
    },
  }),
  edit: tool<{ path: string; from: string; to: string }>({
    tool: "edit",
    fields: { path: "string", from: "string", to: "string" },
    held: true,
    path,
    change: replaceFirst,
    run: async (turn, input, running) => {
      await changeFile(turn, running, input.path, replaceFirst(input));
      return { text: `${input.path} was changed.`, note: `Edited ${input.path}` };
    },
  }),
  run: tool<{ command: string }>({
    tool: "shell",
    fields: { command: "string" },
    held: true,
    run: async (turn, { command }, { callId }) => {
      const [program, ...args] = splitWords(command);
      if (program === undefined) throw new ToolProblem("There is no command to run.");
      const { host, options } = turn.context;
      const env = childEnvironment(host.env, { set: options.env });
      const done = await runProgram(turn, { command: program, args, env }, { callId, withStderr: true });
      const { exitCode } = done;
      return { ...done, note: exitCode === 0 ? `Ran ${command}` : `Ran ${command}, which ended with ${exitCode}` };
    },
  }),
  big: tool<{ bytes: number }>({
    tool: "other",
    fields: { bytes: "number" },
    about: ({ bytes }) => ({ name: "big", description: `${bytes} bytes of output` }),
    run: async (turn, { bytes }) => {
      const limit = turn.context.host.limits.lineBytes;
      if (bytes > limit) throw new ToolProblem(`More than ${limit} bytes at once is too much.`);
      const line = `${"0123456789".repeat(6)}abc\n`;
      const text = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
      return { text, note: `Made ${bytes} bytes of output` };
    },
  }),
  plan: tool<{ plan: string }>({
    tool: "plan",
    fields: { plan: "string" },
    about: () => ({}),
    run: async (turn, input, { callId }) => {
      await approvePlan(turn, callId, input);
      return { text: "The plan was approved.", note: "Made a plan, which was approved" };
    },
  }),
  subagent: tool<{ prompt: string }>({
    tool: "task",
    fields: { prompt: "string" },
    about: ({ prompt }) => ({ description: prompt }),
    run: () => Promise.reject(new ToolProblem("A subagent needs the steps of the prompt.")),
  }),
  background: tool<{ ms: number }>({
    tool: "task",
    fields: { ms: "number" },
    about: ({ ms }) => ({ description: `Wait ${ms} ms in the background` }),
    run: async (turn, { ms }, { callId }) => {
      const taskId = await turn.context.background.start(turn, {
        callId,
        kind: "other",
        title: `Wait ${ms} ms`,
        work: async ({ signal }) => {
          await sleepOrEnd(signal, ms);
          return { text: `The background wait of ${ms} ms is over.`, failed: false };
        },
      });
      return { text: `Task ${taskId} is running.`, note: `Started a wait of ${ms} ms in the background` };
    },
  }),
};

type Tools = typeof tools;
type InputOf<Name extends keyof Tools> = Parameters<Tools[Name]["run"]>[1];

/** Replaces parts of a tool for one step of the demo. */
export type Instead<Input> = Partial<Pick<DemoTool<Input>, "path" | "run" | "change">>;

export async function useTool<Name extends keyof Tools>(
  turn: Turn,
  name: Name,
  given: InputOf<Name>,
  instead: Instead<InputOf<Name>> = {},
): Promise<void> {
  const definition = { ...tools[name], ...instead } as unknown as DemoTool<InputOf<Name>>;
  const { options, files } = turn.context;
  const { about = (input) => input as CanonicalInput } = definition;
  const title = (input: unknown): string =>
    titleOf(definition.tool, about(input as InputOf<Name>), { cwd: options.cwd, nativeName: name });
  const call = {
    callId: turn.newId("call"),
    tool: definition.tool,
    nativeName: name,
    title: title(given),
    input: given,
  };
  const result = await callTool<InputOf<Name>, NotedDone>(turn, {
    call,
    title,
    check: (input) => {
      if (isInputOf(definition.fields, input)) return input;
      throw new ToolProblem(`The changed input does not fit the tool ${name}.`);
    },
    held: definition.held === true,
    locate: definition.path && ((input) => [inWorkspace(files.locate(definition.path!(input)))]),
    inquiry:
      definition.change &&
      (async (input) => ({ diff: await previewChange(turn, definition.path!(input), definition.change!(input)) })),
    run: (input, running) => definition.run(turn, input, running),
  });
  turn.notes.push("done" in result ? result.done.note : `${call.title}: ${result.message}`);
}

function isInputOf<Input>(fields: DemoTool<Input>["fields"], input: unknown): input is Input {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(fields).every(([name, type]) => typeof (input as Record<string, unknown>)[name] === type);
}

function inWorkspace(located: Located): Located {
  if (located.where === "outside") throw new ToolProblem(`${located.asked} is outside the workspace.`);
  return located;
}

/** The beginning of a file of any size, cut between two characters. */
async function readHead(file: FileHandle, limit: number): Promise<Done> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, limit)), 0, undefined, 0);
  return { text: new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: bytesRead < size }), bytes: size };
}

function replaceFirst(input: { path: string; from: string; to: string }): Change {
  return (before) => {
    if (before === undefined) throw new ToolProblem(`There is no file ${input.path}.`, "error", "ENOENT");
    if (!before.includes(input.from)) throw new ToolProblem(`${input.path} does not contain “${input.from}”.`);
    // A function, because `$` has a meaning in a replacement text.
    return before.replace(input.from, () => input.to);
  };
}
