import { memo, useEffect, useMemo, useRef } from "react";
import { markdownDocument, type MarkdownDocument } from "../../view/markdown/index.ts";
import { BlockView } from "./block-view.tsx";
import "./markdown.css";

interface MarkdownProps {
  readonly text: string;
  /** More of it may come. */
  readonly streaming?: boolean | undefined;
}

/** What an agent wrote. While it is written only the blocks that change are drawn again. */
export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const before = useRef<MarkdownDocument>(undefined);
  const document = useMemo(() => markdownDocument(text, { streaming, before: before.current }), [text, streaming]);
  useEffect(() => {
    before.current = document;
  }, [document]);
  return (
    <div className="markdown" dir="auto">
      {document.blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
});
