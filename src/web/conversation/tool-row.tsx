import { Fragment } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { ReactNode } from "react";
import type { Item, ToolItem } from "../../view/model.ts";
import { changeWords } from "../../view/words.ts";
import { classes } from "../ui/classes.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Contents } from "./contents.tsx";
import { DiffView } from "./diff-view.tsx";
import { FileChangeView } from "./file-change.tsx";
import { LongText } from "./long-text.tsx";
import { useOpen } from "./openness.ts";
import { isShown, keyOf } from "./rows.ts";
import { toolIcon } from "./tool-icon.ts";
import { changeCounts, inputText, saidByTitle, tailOf, toolTone, toolWords } from "./tool-words.ts";

const spoken = { running: "running", good: "done", bad: "failed" } as const;
const tailLines = 4;

interface ToolRowProps {
  readonly item: ToolItem;
  readonly path: string;
  /** How what its subagent said and did is shown. */
  readonly nested: (item: Item, path: string) => ReactNode;
}

/** A call of a tool on one line, which opens to what went in and what came out. */
export function ToolRow({ item, path, nested }: ToolRowProps) {
  const [open, setOpen] = useOpen(path);
  const tone = toolTone(item);
  const counts = changeCounts(item);
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
      {!open && <ToolTail item={item} />}
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
      {/* A change that happened says what was wanted, and better. */}
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
          The whole output, {output.bytes} bytes
        </a>
      )}
    </div>
  );
}

/** What a tool that runs has put out last, without opening it. */
function ToolTail({ item }: { readonly item: ToolItem }) {
  if (item.status !== "running" || item.progress.trim() === "") return null;
  return <pre className="tool-tail">{printable(tailOf(item.progress, tailLines))}</pre>;
}
