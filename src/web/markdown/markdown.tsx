/** Renders Markdown of agents. While it streams, only changed blocks are rendered again. */
import { memo, useEffect, useMemo, useRef } from "react";
import { markdownDocument, type MarkdownDocument } from "../../view/markdown/document.ts";
import type { Align, Block, Inline, ListItem } from "../../view/markdown/nodes.ts";
import { classes, Icon } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Highlighted } from "./highlighted.tsx";
import "./markdown.css";

function Inlines({ nodes }: { readonly nodes: readonly Inline[] }) {
  return nodes.map((node, index) => <InlineView key={index} node={node} />);
}

function InlineView({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return <code>{node.text}</code>;
    case "break":
      return <br />;
    case "link":
      return <Link link={node} />;
    case "em":
    case "strong":
    case "del": {
      const Tag = node.kind;
      return (
        <Tag>
          <Inlines nodes={node.children} />
        </Tag>
      );
    }
  }
}

/** Renders a web address as a link; any other address is shown as text. */
function Link({ link }: { readonly link: Extract<Inline, { kind: "link" }> }) {
  const { href, target, children } = link;
  const label = <Inlines nodes={children} />;
  if (href !== undefined)
    return (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        {label}
      </a>
    );
  const [only] = children;
  const same = target === "" || (children.length === 1 && only !== undefined && "text" in only && only.text === target);
  return same ? (
    label
  ) : (
    <>
      {label} <span className="elsewhere">({target})</span>
    </>
  );
}

interface CellProps {
  readonly tag: "td" | "th";
  readonly align: Align;
  readonly nodes: readonly Inline[];
}

/** A table that is wider than the page scrolls, also by keyboard. */
function TableView({ table }: { readonly table: Extract<Block, { kind: "table" }> }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.head.map((nodes, index) => (
              <Cell key={index} tag="th" align={table.align[index]} nodes={nodes} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((nodes, index) => (
                <Cell key={index} tag="td" align={table.align[index]} nodes={nodes} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ tag: Tag, align, nodes }: CellProps) {
  return (
    <Tag dir="auto" className={align && `align-${align}`} {...(Tag === "th" && { scope: "col" })}>
      <Inlines nodes={nodes} />
    </Tag>
  );
}

/** Longer code is coloured only when complete: every delta would colour all of it again. */
const longestOpen = 20_000;

function CodeBlock({ text, language, open }: Extract<Block, { kind: "code" }>) {
  const coloured = open && text.length > longestOpen ? "" : language;
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language === "" ? "text" : language}</span>
        <CopyButton text={() => text} label="Copy code" />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={language === "" ? "Code" : `Code, ${language}`}>
        <code>
          <Highlighted code={text} language={coloured} />
        </code>
      </pre>
    </figure>
  );
}

/** The page itself uses h1. */
const headings = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "paragraph":
      return (
        <p dir="auto">
          <Inlines nodes={block.children} />
        </p>
      );
    case "heading": {
      const Heading = headings[block.level - 1] ?? "h6";
      return (
        <Heading dir="auto" className={`level-${block.level}`}>
          <Inlines nodes={block.children} />
        </Heading>
      );
    }
    case "code":
      return <CodeBlock {...block} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List block={block} />;
    case "table":
      return <TableView table={block} />;
    case "rule":
      return <hr />;
  }
});

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, index) => <BlockView key={index} block={block} />);
}

function List({ block }: { readonly block: Extract<Block, { kind: "list" }> }) {
  const items = block.items.map((item, index) => <Item key={index} item={item} loose={block.loose} />);
  return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
}

function Item({ item, loose }: { readonly item: ListItem; readonly loose: boolean }) {
  const { checked, blocks } = item;
  return (
    <li dir="auto" className={classes(checked !== undefined && "task")}>
      {checked !== undefined && (
        <span role="img" aria-label={checked ? "done" : "to do"} className={classes("task-box", checked && "done")}>
          {checked && <Icon name="check" size={11} />}
        </span>
      )}
      {/* Paragraphs in a tight list get no `<p>`. */}
      {blocks.map((block, index) =>
        !loose && block.kind === "paragraph" ? (
          <Inlines key={index} nodes={block.children} />
        ) : (
          <BlockView key={index} block={block} />
        ),
      )}
    </li>
  );
}

interface MarkdownProps {
  readonly text: string;
  readonly streaming?: boolean | undefined;
}

export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const before = useRef<MarkdownDocument>(undefined);
  const document = useMemo(() => markdownDocument(text, { streaming, before: before.current }), [text, streaming]);
  useEffect(() => {
    before.current = document;
  }, [document]);
  return (
    <div className="markdown" dir="auto">
      <Blocks blocks={document.blocks} />
    </div>
  );
});
