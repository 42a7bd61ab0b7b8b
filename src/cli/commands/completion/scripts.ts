/** Completion scripts of `reins` for each shell. */
import type { Completed, Follows } from "./words.ts";

export const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

const pathsOf = (all: readonly Completed[]): readonly string[] =>
  all.map(({ path }) => path).filter((path) => path !== "");

/** The cases of a `case "$at $prev"`: the values of an option. `open` stands before a zsh pattern. */
function afterOptions(all: readonly Completed[], open: string, offer: (follows: Follows) => string): string {
  const lines = all.flatMap(({ path, options }) =>
    options.map(({ flags, follows }) =>
      follows === undefined
        ? ""
        : `    ${open}${flags.map((flag) => `"${path} ${flag}"`).join("|")}) ${offer(follows)} return ;;`,
    ),
  );
  return lines.filter((line) => line !== "").join("\n");
}

/** Words are compared one by one: `compgen -W` would expand and run what they contain. */
function bashScript(all: readonly Completed[]): string {
  const paths = pathsOf(all).map((path) => `"${path}"`);
  return `# Completion of reins for bash. Add to ~/.bashrc: eval "$(reins completion bash)"
_reins_words() {
  local word
  while IFS= read -r word; do
    if [[ -n $word && $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}
_reins_ask() { _reins_words < <("\${COMP_WORDS[0]}" completion --values "$1" 2>/dev/null); }
_reins_say() { _reins_words < <(printf '%s\\n' "$@"); }
_reins() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" at="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths.join(" | ")}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${afterOptions(all, "", bashOffer)}
  esac
  case "$at" in
${all.map(bashWords).join("\n")}
  esac
}
complete -F _reins reins
`;
}

function bashWords({ path, commands, options, follows }: Completed): string {
  const words = [...commands.map(({ name }) => name), ...options.flatMap(({ flags }) => flags)];
  return `    "${path}") ${bashOffer({ words })} ${follows.map(bashOffer).join(" ")} ;;`;
}

function bashOffer(follows: Follows): string {
  if (follows === "anything") return "";
  if (follows === "file") return `mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur");`;
  if (follows === "folder") return `mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur");`;
  if ("ask" in follows) return `_reins_ask ${follows.ask};`;
  return follows.words.length === 0 ? "" : `_reins_say ${follows.words.map((word) => `'${word}'`).join(" ")};`;
}

function zshScript(all: readonly Completed[]): string {
  const paths = pathsOf(all).map((path) => `"${path}"`);
  return `#compdef reins
# Completion of reins for zsh. Add to ~/.zshrc, after compinit: eval "$(reins completion zsh)"
_reins_ask() {
  local -a found
  found=(\${(f)"$($words[1] completion --values $1 2>/dev/null)"})
  compadd -a found
}
_reins() {
  local at="" prev="\${words[CURRENT-1]}" i
  for ((i = 2; i < CURRENT; i++)); do
    case "\${at:+$at }\${words[i]}" in
      (${paths.join("|")}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at $prev" in
${afterOptions(all, "(", zshOffer)}
  esac
  local -a said
  case "$at" in
${all.map(zshWords).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_reins" ]; then _reins "$@"; else compdef _reins reins; fi
`;
}

function zshWords({ path, commands, options, follows }: Completed): string {
  const described = [
    ...commands.map(({ name, description }) => [name, description] as const),
    ...options.flatMap(({ flags, description }) => flags.map((flag) => [flag, description] as const)),
  ].map(([word, description]) => zshQuoted(`${word.replaceAll(":", "\\:")}:${description}`));
  const say = described.length === 0 ? "" : `said=(${described.join(" ")}); _describe reins said;`;
  return `    ("${path}") ${say} ${follows.map(zshOffer).join(" ")} ;;`;
}

function zshOffer(follows: Follows): string {
  if (follows === "anything") return "";
  if (follows === "file") return "_files;";
  if (follows === "folder") return "_files -/;";
  if ("ask" in follows) return `_reins_ask ${follows.ask};`;
  return follows.words.length === 0 ? "" : `compadd -- ${follows.words.map(zshQuoted).join(" ")};`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishScript(all: readonly Completed[]): string {
  const paths = pathsOf(all).map(fishQuoted);
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
${all.flatMap(fishLines).join("\n")}
`;
}

function fishLines({ path, commands, options, follows }: Completed): string[] {
  const begin = `complete -c reins -n ${fishQuoted(`__reins_at ${fishQuoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${begin} -a ${name} -d ${fishQuoted(description)}`),
    ...options.map(
      ({ flags, description, follows: after }) =>
        `${begin} ${flags.map(named).join(" ")}${after === undefined ? "" : ` ${fishOffer(after, "-x")}`} -d ${fishQuoted(description)}`,
    ),
    ...follows.filter((one) => one !== "anything").map((one) => `${begin} ${fishOffer(one, "")}`.trimEnd()),
  ];
}

function named(flag: string): string {
  return flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
}

/** `only`: complete nothing else, and require a value. */
function fishOffer(follows: Follows, only: "-x" | ""): string {
  if (follows === "anything") return only;
  if (follows === "file") return only === "" ? "-F" : "-r -F";
  if (follows === "folder") return `${only} -a '(__fish_complete_directories)'`.trim();
  const words = "ask" in follows ? `(reins completion --values ${follows.ask} 2>/dev/null)` : follows.words.join(" ");
  return `${only} -a ${fishQuoted(words)}`.trim();
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
