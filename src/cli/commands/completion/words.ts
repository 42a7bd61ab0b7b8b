/** The words that may follow `reins`, read from the program definition. */
import type { Argument, Command, Option } from "commander";
import { tools } from "../../../events/tools.ts";

/** The value of an option or argument: fixed words, names that are looked up on demand, or a path. */
export type Follows = { readonly words: readonly string[] } | { readonly ask: Asked } | "file" | "folder" | "anything";

export const asked = ["agents", "models", "sessions"] as const;
export type Asked = (typeof asked)[number];

export interface Completed {
  /** `run`, `mcp list`; empty for `reins` itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** `flags`: `-a` and `--agent`. `follows` is undefined when the option takes no value. */
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly description: string;
    readonly follows: Follows | undefined;
  }[];
  /** The values of its arguments. */
  readonly follows: readonly Follows[];
}

/** Options of `reins` itself, which main.ts handles. */
const own: Completed = {
  path: "",
  description: "",
  commands: [{ name: "help", description: "Show this help, or the help of a command." }],
  options: [
    { flags: ["-h", "--help"], description: "show this help", follows: undefined },
    { flags: ["-v", "--version"], description: "show the version of Reins", follows: undefined },
  ],
  follows: [],
};

export function completedOf(program: Command): readonly Completed[] {
  const [root, ...rest] = walked(program, "");
  const commands = [...root!.commands, ...own.commands];
  return [{ ...own, commands }, ...rest, { ...own, path: "help", options: [], commands: root!.commands }];
}

function walked(command: Command, path: string): readonly Completed[] {
  const inner = command.commands.filter((one) => (one as { readonly _hidden?: boolean })._hidden !== true);
  const found: Completed = {
    path,
    description: command.description(),
    commands: inner.map((one) => ({ name: one.name(), description: one.description() })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => ({
        flags: [option.short, option.long].filter((flag) => typeof flag === "string"),
        description: option.description,
        follows: option.required || option.optional ? followsOf(option) : undefined,
      })),
    follows: command.registeredArguments.map(followsOf),
  };
  return [found, ...inner.flatMap((one) => walked(one, `${path} ${one.name()}`.trim()))];
}

/** By its choices, else by its name in the help. */
function followsOf(one: Option | Argument): Follows {
  if (one.argChoices !== undefined) return { words: one.argChoices };
  const flags = "flags" in one ? one.flags : `<${one.name()}>`;
  const name = "long" in one ? (one.long ?? "") : one.name();
  if (/^id$|agent|fallback/.test(name) || /[<[]agents?[\]>]/.test(flags)) return { ask: "agents" };
  if (name.endsWith("tool")) return { words: tools };
  if (name === "--model") return { ask: "models" };
  if (/[<[]session/.test(flags)) return { ask: "sessions" };
  if (/[<[]folder/.test(flags)) return "folder";
  return /[<[](?:path|file)/.test(flags) ? "file" : "anything";
}
