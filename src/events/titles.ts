/** Titles of tool calls in one line: "Edit src/app.ts", "Run npm test". */
import { fitColumns } from "./columns.ts";
import { shownPath } from "./paths.ts";
import { oneLine } from "./printable.ts";
import type { CanonicalInput, Tool } from "./tools.ts";

export interface TitleContext {
  readonly cwd: string;
  readonly nativeName: string;
}

const longestTitle = 80;
const longestCommand = 40;
const mostFiles = 3;
/** Cut longer fields: an input may be a whole file. */
const longestField = 4096;

type Field = (input: CanonicalInput, context: TitleContext) => string | undefined;

const text =
  (name: Exclude<keyof CanonicalInput, "paths">): Field =>
  (input) => {
    const value: unknown = input[name];
    return typeof value === "string" ? oneLine(value.slice(0, longestField)) || undefined : undefined;
  };

const pathOf =
  (name: "path" | "to"): Field =>
  (input, context) => {
    const path = text(name)(input, context);
    return path === undefined ? undefined : shownPath(path, oneLine(context.cwd));
  };

const files: Field = (input, context) => {
  const all = Array.isArray(input.paths) ? input.paths.map((path: string) => pathOf("path")({ path }, context)) : [];
  const paths = [...new Set(all.filter((path) => path !== undefined))];
  if (paths.length === 0) return pathOf("path")(input, context);
  const more = paths.length - mostFiles;
  return paths.slice(0, mostFiles).join(", ") + (more > 0 ? ` +${more} more` : "");
};

const command: Field = (input, context) => {
  const line = text("command")(input, context);
  return line === undefined ? undefined : fitColumns(line, longestCommand);
};

const either =
  (...fields: readonly Field[]): Field =>
  (input, context) => {
    for (const field of fields) {
      const value = field(input, context);
      if (value !== undefined) return value;
    }
    return undefined;
  };

const path = pathOf("path");
const description = text("description");
const nativeName: Field = (_input, context) => oneLine(context.nativeName) || undefined;

const after =
  (before: string, field: Field): Field =>
  (input, context) => {
    const value = field(input, context);
    return value === undefined ? undefined : before + value;
  };

/** `otherwise` is the title when the field is missing. */
const about =
  (before: string, field: Field, otherwise: string) =>
  (input: CanonicalInput, context: TitleContext): string =>
    after(before, field)(input, context) ?? otherwise;

const joined =
  (first: Field, between: string, second: Field): Field =>
  (input, context) => {
    const [a, b] = [first(input, context), second(input, context)];
    return a !== undefined && b !== undefined ? a + between + b : (a ?? b);
  };

const titles: Readonly<Record<Tool, (input: CanonicalInput, context: TitleContext) => string>> = {
  read: about("Read ", files, "Read a file"),
  write: about("Write ", files, "Write a file"),
  edit: about("Edit ", files, "Edit a file"),
  delete: about("Delete ", files, "Delete a file"),
  move: about("Rename ", joined(path, " → ", pathOf("to")), "Rename a file"),
  list: about("List ", either(path, text("query")), "List files"),
  glob: about("Find ", joined(text("pattern"), " in ", path), "Find files"),
  grep: about("Search ", joined(either(text("pattern"), text("query")), " in ", path), "Search files"),
  shell: about("", either(after("Run ", command), description), "Run a command"),
  web_search: about("Search the web: ", text("query"), "Search the web"),
  web_fetch: about("Fetch ", text("url"), "Fetch a page"),
  plan: about("Plan: ", description, "Update the plan"),
  task: about("Task: ", description, "Start a task"),
  question: about("Ask: ", description, "Ask a question"),
  notebook: about("Edit notebook ", files, "Edit a notebook"),
  mcp: about("", either(joined(text("server"), ": ", text("name")), nativeName), "Use a tool"),
  memory: about("Remember: ", either(description, path), "Use the memory"),
  image: about("Image: ", either(path, description), "Make an image"),
  mode: about("Switch mode: ", either(text("name"), description), "Switch mode"),
  other: about("", joined(either(text("name"), nativeName), ": ", description), "Use a tool"),
};

export function titleOf(tool: Tool, input: CanonicalInput, context: TitleContext): string {
  return fitColumns(titles[tool](input, context), longestTitle);
}
