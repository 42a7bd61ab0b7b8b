import { useEffect, useState } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { Content } from "../../events/types.ts";
import { DiffView } from "./diff-view.tsx";
import { Line } from "./line.tsx";
import { LongText } from "./long-text.tsx";

interface ContentsProps {
  readonly content: readonly Content[] | undefined;
  readonly path: string;
}

/** What is not plain text: pictures, files, differences. */
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

/** Those that cannot hold a script. */
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

/** What is too large for an event comes as bytes without a type. */
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
      .catch(() => {
        // Without it the row says that there is an image.
      });
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [ref, type]);
  return url;
}
