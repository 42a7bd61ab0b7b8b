import type { Align, Block, Inline } from "../../view/markdown/index.ts";
import { Inlines } from "./inlines.tsx";

interface CellProps {
  readonly tag: "td" | "th";
  readonly align: Align;
  readonly nodes: readonly Inline[];
}

/** Wider than the page it scrolls, also by the keyboard. */
export function TableView({ table }: { readonly table: Extract<Block, { kind: "table" }> }) {
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
