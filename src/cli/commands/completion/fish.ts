import type { Completed, Follows } from "./words.ts";

export function fishScript(all: readonly Completed[]): string {
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `# Completion of reins for fish. Save as ~/.config/fish/completions/reins.fish
function __reins_at
    set -l at
    for word in (commandline -opc)[2..-1]
        if contains -- (string join ' ' $at $word) ${paths.join(" ")}
            set -a at $word
        end
    end
    test (string join ' ' $at) = $argv[1]
end
complete -c reins -f
${all.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, commands, options, follows }: Completed): string[] {
  const begin = `complete -c reins -n ${quoted(`__reins_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${begin} -a ${name} -d ${quoted(description)}`),
    ...options.map(
      ({ flags, description, follows: after }) =>
        `${begin} ${flags.map(named).join(" ")}${after === undefined ? "" : ` ${offer(after, "-x")}`} -d ${quoted(description)}`,
    ),
    ...follows.filter((one) => one !== "anything").map((one) => `${begin} ${offer(one, "")}`.trimEnd()),
  ];
}

function named(flag: string): string {
  return flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
}

/** `only`: nothing but what is offered, and something must follow. */
function offer(follows: Follows, only: "-x" | ""): string {
  if (follows === "anything") return only;
  if (follows === "file") return only === "" ? "-F" : "-r -F";
  if (follows === "folder") return `${only} -a '(__fish_complete_directories)'`.trim();
  const words = "ask" in follows ? `(reins completion --values ${follows.ask} 2>/dev/null)` : follows.words.join(" ");
  return `${only} -a ${quoted(words)}`.trim();
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
