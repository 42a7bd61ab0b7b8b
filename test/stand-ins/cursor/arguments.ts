/** The command line, parsed as far as the documentation describes it. */

/** Options that take a value; with `?` the value is optional. */
const valued: Readonly<Record<string, string>> = {
  "--api-key": "apiKey",
  "--auth-token": "authToken",
  "-e": "endpoint",
  "--endpoint": "endpoint",
  "-H": "header",
  "--header": "header",
  "--output-format": "outputFormat",
  "--model": "model",
  "--mode": "mode",
  "--sandbox": "sandbox",
  "--workspace": "workspace",
  "--add-dir": "addDir",
  "--plugin-dir": "pluginDir",
  "--worktree-base": "worktreeBase",
  "--image": "image",
  "--format": "format",
  "--resume": "resume?",
  "-w": "worktree?",
  "--worktree": "worktree?",
};

const flags: Readonly<Record<string, string>> = {
  "-p": "print",
  "--print": "print",
  "--stream-partial-output": "partial",
  "--continue": "continue",
  "--plan": "plan",
  "--list-models": "listModels",
  "-f": "force",
  "--force": "force",
  "--yolo": "force",
  "--auto-review": "autoReview",
  "--approve-mcps": "approveMcps",
  "--trust": "trust",
  "-k": "insecure",
  "--skip-worktree-setup": "skipWorktreeSetup",
  "--disable-auto-update": "disableAutoUpdate",
  "--browser": "browser",
  "-v": "version",
  "--version": "version",
  "-h": "help",
  "--help": "help",
};

export interface Arguments {
  readonly words: readonly string[];
  readonly is: ReadonlySet<string>;
  /** The last value of an option that was given several times. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  readonly unknown: string | undefined;
}

export function readArguments(argv: readonly string[]): Arguments {
  const words: string[] = [];
  const is = new Set<string>();
  const given = new Map<string, string[]>();
  let unknown: string | undefined;
  const rest = [...argv];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === "--") {
      words.push(...rest.splice(0));
    } else if (!next.startsWith("-") || next === "-") {
      words.push(next);
    } else {
      const [name, inline] = split(next);
      const known = valued[name];
      if (known !== undefined) {
        const key = known.replace("?", "");
        const value = inline ?? (known.endsWith("?") && /^-|^$/.test(rest[0] ?? "") ? "" : rest.shift());
        given.set(key, [...(given.get(key) ?? []), value ?? ""]);
        is.add(key);
      } else if (flags[name] !== undefined) is.add(flags[name]);
      else unknown ??= name;
    }
  }
  const values = (name: string): readonly string[] => given.get(name) ?? [];
  return { words, is, values, value: (name) => values(name).at(-1), unknown };
}

function split(option: string): [string, string | undefined] {
  const at = option.startsWith("--") ? option.indexOf("=") : -1;
  return at < 0 ? [option, undefined] : [option.slice(0, at), option.slice(at + 1)];
}
