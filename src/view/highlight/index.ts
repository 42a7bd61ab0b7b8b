/** Splits code into coloured tokens. The engine is large, so it is loaded on first use. */
import type { highlight } from "./engine.ts";

/** The highlight.js languages in use, each with its aliases. */
const aliases = {
  bash: "bash sh zsh shell console terminal fish",
  c: "c h",
  cpp: "cpp cc cxx hpp c++ objc",
  css: "css scss less sass",
  diff: "diff patch",
  dockerfile: "dockerfile",
  go: "go golang",
  ini: "ini toml conf properties env",
  java: "java scala dart csharp cs",
  javascript: "javascript js jsx mjs cjs node",
  json: "json jsonc json5 jsonl ndjson",
  kotlin: "kotlin kt",
  makefile: "makefile make",
  php: "php",
  python: "python python3 py pyi ipython",
  ruby: "ruby rb",
  rust: "rust rs",
  sql: "sql postgresql mysql sqlite plsql",
  swift: "swift",
  typescript: "typescript ts tsx mts cts",
  xml: "xml html svg htm xhtml vue svelte",
  yaml: "yaml yml",
};

const byName = new Map(
  Object.entries(aliases).flatMap(([language, names]) => names.split(" ").map((name) => [name, language])),
);

/** The info string of a fence may have more than the name, as in `js,ignore`. */
export function languageOf(name: string): string | undefined {
  return byName.get(/^[\w+#.-]*/.exec(name)![0].toLowerCase());
}

/** The language of a file by its name, or "" when unknown. */
export function languageOfFile(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return byName.has(ending) ? ending : "";
}

export type { HighlightToken } from "./engine.ts";

export type Highlighter = typeof highlight;

let loading: Promise<Highlighter> | undefined;

/** Rejects when the engine cannot be loaded; the next call tries again. */
export function loadHighlighter(): Promise<Highlighter> {
  loading ??= import("./engine.ts").then(
    (engine) => engine.highlight,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
