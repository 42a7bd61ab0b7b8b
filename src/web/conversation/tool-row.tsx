import { Fragment, type ReactNode } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { Tool } from "../../events/tools.ts";
import { changeWords, count, dotted, duration, failureWords, outputWords } from "../../view/labels.ts";
import type { FileChange, Item, ToolItem } from "../../view/model.ts";
import { lineCounts } from "../panels/session-facts.ts";
import { classes, Disclosure, Icon, Spinner, type IconName } from "../ui/basics.tsx";
import { DiffView } from "./diff-view.tsx";
import { Contents, FileChangeView, LongText } from "./row-parts.tsx";
import { useOpen } from "./expanded-rows.tsx";
import { isShown, keyOf } from "./rows.ts";

export function toolTone({ status, output, exitCode }: ToolItem): keyof typeof spoken {
  if (status === "failed") return "bad";
  if (output === undefined && status === "running") return "running";
  return exitCode === undefined || exitCode === 0 ? "good" : "bad";
}

export function toolWords(item: ToolItem): string {
  const { status, output, durationMs, exitCode, items } = item;
  if (status === "failed") return failureWords(item);
  const steps = items.length === 0 ? undefined : count(items.length, "step");
  const words = output === undefined ? undefined : outputWords(output, exitCode);
  const took = durationMs === undefined || durationMs < 100 ? undefined : duration(durationMs);
  return dotted(steps, words, took);
}

/** True when the row's title already names the only changed file and its line counts; below it only the diff is shown. */
export function saidByTitle(
  { title, files }: Pick<ToolItem, "title" | "files">,
  { path, oldPath }: FileChange,
): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return files.length === 1 && oldPath === undefined && title.includes(name);
}

/** The input of a tool for people: a command as typed, else its fields. */
export function inputText(input: unknown): { readonly kind: "command" | "fields"; readonly text: string } | undefined {
  if (input === undefined || input === null) return undefined;
  const { command } = input as { readonly command?: unknown };
  if (typeof command === "string") return { kind: "command", text: command };
  const values = typeof input === "object" ? Object.values(input) : [input];
  // Show a single text field without its name: a query, or the prompt of a subagent.
  const [only] = values.length === 1 ? values : [];
  const text = typeof only === "string" ? only : (JSON.stringify(input, undefined, 2) ?? "");
  return text === "" || text === "{}" ? undefined : { kind: "fields", text };
}

export function tailOf(progress: string, lines: number): string {
  return progress.trimEnd().split("\n").slice(-lines).join("\n");
}

const icons: Readonly<Record<Tool, IconName>> = {
  read: "file",
  write: "edit",
  edit: "edit",
  delete: "trash",
  move: "handoff",
  list: "folder",
  glob: "search",
  grep: "search",
  shell: "shell",
  web_search: "globe",
  web_fetch: "globe",
  plan: "plan",
  task: "agent",
  question: "help",
  notebook: "edit",
  mcp: "plug",
  memory: "think",
  image: "image",
  mode: "settings",
  other: "tool",
};

export function toolIcon(tool: Tool): IconName {
  return icons[tool] ?? "tool";
}

const spoken = { running: "running", good: "done", bad: "failed" } as const;
const tailLines = 4;

interface ToolRowProps {
  readonly item: ToolItem;
  readonly path: string;
  readonly nested: (item: Item, path: string) => ReactNode;
}

export function ToolRow({ item, path, nested }: ToolRowProps) {
  const [open, setOpen] = useOpen(path);
  const tone = toolTone(item);
  const counts = item.files.length === 0 ? undefined : lineCounts(item.files);
  return (
    <>
      <Disclosure
        className={classes("tool", tone)}
        open={open}
        onToggle={setOpen}
        summary={
          <>
            <span className="tool-mark">
              {tone === "running" ? <Spinner /> : <Icon name={toolIcon(item.tool)} size={14} />}
            </span>
            <bdi className="tool-title">{oneLine(item.title)}</bdi>
            <span className="sr-only">{spoken[tone]}</span>
            {counts !== undefined && (
              <span className="counts">
                <span className="added">+{counts.added}</span> <span className="removed">−{counts.removed}</span>
              </span>
            )}
            <span className="tool-words" dir="auto">
              {toolWords(item)}
            </span>
          </>
        }
      >
        {() => <ToolInside item={item} path={path} nested={nested} />}
      </Disclosure>
      {!open && item.status === "running" && item.progress.trim() !== "" && (
        <pre className="tool-tail">{printable(tailOf(item.progress, tailLines))}</pre>
      )}
    </>
  );
}

function ToolInside({ item, path, nested }: ToolRowProps) {
  const { files, output, progress, items, error } = item;
  const given = inputText(item.input);
  const text = output?.text ?? (progress !== "" ? progress : error?.message);
  return (
    <div className="tool-inside">
      {given?.kind === "command" && (
        <LongText text={printable(given.text)} className="command" label="Command" path={`${path}:in`} />
      )}
      {files.map((file) =>
        file.diff && saidByTitle(item, file) ? (
          <DiffView key={file.path} diff={file.diff} path={`${path}:${file.path}`} file={file.path} />
        ) : (
          <FileChangeView
            key={`${file.op}:${file.path}`}
            change={file}
            path={`${path}:${file.path}`}
            summary={changeWords(file)}
            initiallyOpen
          />
        ),
      )}
      {/* The file changes show the same edit better than the input does. */}
      {given?.kind === "fields" && files.length === 0 && (
        <LongText text={printable(given.text)} label="Input" path={`${path}:in`} />
      )}
      {items.length > 0 && (
        <div className="nested">
          {items.filter(isShown).map((inner, index) => {
            const key = keyOf(inner, `${path}/${index}`);
            return <Fragment key={key}>{nested(inner, key)}</Fragment>;
          })}
        </div>
      )}
      {text !== undefined && text !== "" && (
        <LongText text={printable(text)} label="Output" path={`${path}:out`} bad={item.status === "failed"} />
      )}
      <Contents content={output?.content} path={path} />
      {output?.ref !== undefined && (
        <a className="whole" href={`/api/blobs/${encodeURIComponent(output.ref)}`} download={`${item.callId}.txt`}>
          Full output, {output.bytes} bytes
        </a>
      )}
    </div>
  );
}
