/** An image that the inline screen prints. */
import { imageFacts, mostImageBytes, type ImageFacts } from "./image-file.ts";
import type { ImageProtocol } from "./protocol.ts";

export interface Cells {
  readonly columns: number;
  readonly rows: number;
}

/** Assumed size of a cell in pixels. A cell is about twice as high as it is wide. */
const cell = { width: 9, height: 18 };
const most: Cells = { columns: 80, rows: 24 };

/** The cells of an image: its own size if there is room, at most half of the screen's height. */
export function imageCells({ width, height }: Pick<ImageFacts, "width" | "height">, screen: Cells): Cells {
  const columns = Math.max(1, Math.min(most.columns, screen.columns));
  const rows = Math.max(1, Math.min(most.rows, Math.floor(screen.rows / 2)));
  const scale = Math.min(1, (columns * cell.width) / width, (rows * cell.height) / height);
  const cells = (pixels: number, one: number, limit: number): number =>
    Math.max(1, Math.min(limit, Math.round((pixels * scale) / one)));
  return { columns: cells(width, cell.width, columns), rows: cells(height, cell.height, rows) };
}

/** kitty takes base64 in pieces of this length. */
const pieceLength = 4096;

function kittySequence(base64: string, { columns, rows }: Cells): string {
  let sequence = "";
  for (let from = 0; from < base64.length; from += pieceLength) {
    const keys = from === 0 ? `a=T,f=100,t=d,c=${columns},r=${rows},C=1,` : "";
    const more = from + pieceLength < base64.length ? 1 : 0;
    sequence += `\x1b_G${keys}q=2,m=${more};${base64.slice(from, from + pieceLength)}\x1b\\`;
  }
  return sequence;
}

/** Terminals leave the cursor at different places after the image, so save and restore it. */
function iterm2Sequence(base64: string, bytes: number, { columns, rows }: Cells): string {
  const keys = `inline=1;size=${bytes};width=${columns};height=${rows};preserveAspectRatio=1`;
  return `\x1b7\x1b]1337;File=${keys}:${base64}\x07\x1b8`;
}

/**
 * The only output of a screen besides text. It can only be made from checked bytes, and its base64 is made here, so no text of an agent
 * becomes a sequence.
 */
export class TerminalImage {
  readonly rows: number;
  readonly bytes: number;
  readonly #sequence: string;
  readonly #indent: number;

  private constructor(sequence: string, rows: number, bytes: number, indent: number) {
    this.#sequence = sequence;
    this.rows = rows;
    this.bytes = bytes;
    this.#indent = indent;
  }

  /** Undefined when the bytes are no image that this protocol draws. `indent`: columns that stay free at the left. */
  static from(bytes: Uint8Array, protocol: ImageProtocol, screen: Cells, indent = 0): TerminalImage | undefined {
    if (bytes.byteLength > mostImageBytes) return undefined;
    const facts = imageFacts(bytes);
    if (facts === undefined || (protocol === "kitty" && facts.type !== "png")) return undefined;
    const cells = imageCells(facts, { columns: screen.columns - indent, rows: screen.rows });
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    const sequence =
      protocol === "kitty" ? kittySequence(base64, cells) : iterm2Sequence(base64, bytes.byteLength, cells);
    return new TerminalImage(sequence, cells.rows, bytes.byteLength, indent);
  }

  /** From the start of a row to the start of the row below the image. Its rows are created first, so that drawing never scrolls. */
  get output(): string {
    const down = "\r\n".repeat(this.rows);
    const right = this.#indent === 0 ? "" : `\x1b[${this.#indent}C`;
    return `${down}\x1b[${this.rows}A${right}${this.#sequence}${down}`;
  }
}
