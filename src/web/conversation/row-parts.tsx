import { useEffect, useState, type ReactNode } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { Content } from "../../events/types.ts";
import { count } from "../../view/labels.ts";
import type { FileChange } from "../../view/model.ts";
import { Button, classes, Icon, type IconName } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { DiffView } from "./diff-view.tsx";
import { Openable, useOpen } from "./expanded-rows.tsx";

/** Lines of a text that are shown without asking. Long lines are cut too. */
const usualLines = 24;
const mostChars = 6_000;

export function headOf(
  text: string,
  mostLines: number = usualLines,
): { readonly head: string; readonly hidden: number } {
  const trimmed = text.trimEnd();
  const lines = trimmed.split("\n");
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    if (shown.length === mostLines || chars >= mostChars) break;
    const room = mostChars - chars;
    shown.push(line.length > room ? `${line.slice(0, room)} …` : line);
    chars += line.length;
  }
  const cutWithin = chars > mostChars ? 1 : 0;
  const hidden = lines.length - shown.length + cutWithin;
  // Show the rest when only a few lines are left.
  return hidden <= 3 && chars <= mostChars ? { head: trimmed, hidden: 0 } : { head: shown.join("\n"), hidden };
}

interface LineProps {
  readonly icon: IconName;
  readonly tone?: "good" | "warn" | "bad" | undefined;
  /** For a name or an address: the first letter is not capitalised. */
  readonly verbatim?: boolean | undefined;
  readonly children: ReactNode;
}

export function Line({ icon, tone, verbatim = false, children }: LineProps) {
  return (
    <p className={classes("line", tone, verbatim && "verbatim")}>
      <Icon name={icon} size={14} />
      <span dir="auto">{children}</span>
    </p>
  );
}

interface LongTextProps {
  readonly text: string;
  readonly label: string;
  readonly path: string;
  readonly className?: string | undefined;
  readonly bad?: boolean | undefined;
}

/** Shows the first lines of a text and a button for the rest. */
export function LongText({ text, label, path, className, bad = false }: LongTextProps) {
  const [whole, setWhole] = useOpen(`${path}:whole`);
  const { head, hidden } = headOf(text);
  return (
    <figure className={classes("long-text", className, bad && "bad")}>
      <figcaption>{label}</figcaption>
      <div className="long-text-tools">
        <CopyButton text={() => text} label={`Copy: ${label.toLowerCase()}`} />
      </div>
      <pre dir="auto" tabIndex={0} aria-label={label}>
        {whole ? text : head}
      </pre>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show ${count(hidden, "more line")}`}
        </Button>
      )}
    </figure>
  );
}

interface ContentsProps {
  readonly content: readonly Content[] | undefined;
  readonly path: string;
}

export function Contents({ content = [], path }: ContentsProps) {
  return content.map((block, index) => <Block key={index} block={block} path={`${path}:${index}`} />);
}

function Block({ block, path }: { readonly block: Content; readonly path: string }) {
  switch (block.type) {
    case "text":
      return <LongText text={printable(block.text)} label="Text" path={path} />;
    case "image":
      return <Picture image={block} />;
    case "resource":
      return block.text === undefined ? (
        <Line icon="file" verbatim>
          {oneLine(block.uri)}
        </Line>
      ) : (
        <LongText text={printable(block.text)} label={oneLine(block.uri)} path={path} />
      );
    case "diff":
      return <DiffView diff={block.diff} path={path} file={block.path} />;
  }
}

const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function Picture({ image }: { readonly image: Content & { readonly type: "image" } }) {
  const { mediaType, data, ref } = image;
  const known = pictures.has(mediaType);
  const fetched = useBlob(known && data === undefined ? ref : undefined, mediaType);
  const inline = data !== undefined && /^[\w+/]+={0,2}$/.test(data) ? `data:${mediaType};base64,${data}` : undefined;
  const src = known ? (inline ?? fetched) : undefined;
  if (src === undefined) return <Line icon="image">Image ({oneLine(mediaType)})</Line>;
  return <img className="picture" alt="From the agent" src={src} />;
}

/** Content that is too large for an event is loaded as bytes without a type. */
function useBlob(ref: string | undefined, type: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (ref === undefined) return undefined;
    const leaving = new AbortController();
    let made: string | undefined;
    fetch(`/api/blobs/${encodeURIComponent(ref)}`, { signal: leaving.signal })
      .then(async (response) => {
        if (!response.ok) return;
        made = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
        setUrl(made);
      })
      // On failure the row only says that there is an image.
      .catch(() => undefined);
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [ref, type]);
  return url;
}

interface FileChangeProps {
  readonly change: FileChange;
  readonly path: string;
  readonly summary: string;
  readonly initiallyOpen?: boolean;
}

export function FileChangeView({ change, path, summary, initiallyOpen }: FileChangeProps) {
  const { diff } = change;
  if (diff === undefined || diff === "") return <Line icon="file">{summary}</Line>;
  return (
    <Openable
      path={path}
      icon="file"
      className="file-change"
      initiallyOpen={initiallyOpen}
      summary={() => <bdi className="tool-title">{summary}</bdi>}
    >
      {() => <DiffView diff={diff} path={path} file={change.path} />}
    </Openable>
  );
}
