import { memo } from "react";
import type { Block, ListItem } from "../../view/markdown/index.ts";
import { Icon } from "../ui/icon.tsx";
import { classes } from "../ui/classes.ts";
import { CodeBlock } from "./code-block.tsx";
import { Inlines } from "./inlines.tsx";
import { TableView } from "./table-view.tsx";

/** The page has the first level itself. */
const headings = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

export const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
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
      return <CodeBlock text={block.text} language={block.language} open={block.open} />;
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
      {/* In a list without empty lines a paragraph stands without its own. */}
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
