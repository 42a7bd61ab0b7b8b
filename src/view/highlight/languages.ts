/** What a language is called in a fence, and by the end of a file's name. */
import { type Grammar, grammars } from "./grammars.ts";

const names: Readonly<Record<keyof typeof grammars, string>> = {
  script: "ts tsx js jsx mjs cjs mts cts typescript javascript node svelte vue",
  c: "c h cpp cc cxx hpp c++ cs csharp java kotlin kt swift scala php dart objc",
  go: "go golang",
  rust: "rust rs",
  python: "py python python3 pyi ipython rb ruby",
  shell: "sh bash zsh shell console terminal fish dockerfile makefile make",
  json: "json jsonc json5 jsonl ndjson",
  yaml: "yaml yml toml ini conf properties env",
  sql: "sql postgresql mysql sqlite plsql",
  html: "html xml svg htm xhtml",
  css: "css scss less sass",
  diff: "diff patch",
};

const byName = new Map<string, Grammar>(
  Object.entries(names).flatMap(([id, aliases]) =>
    aliases.split(" ").map((name) => [name, grammars[id as keyof typeof grammars]] as const),
  ),
);

export function grammarOf(language: string): Grammar | undefined {
  return byName.get(language.toLowerCase());
}

/** The language of a file, by its name; "" where it tells nothing. */
export function languageOfFile(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return byName.has(ending) ? ending : "";
}
