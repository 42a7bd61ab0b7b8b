/** Messages between the process that holds a terminal and the one that displays it: a letter, the length, and bytes. */

/**
 * From a viewer to the holder: `hello` (with the size), `input`, `resize`, `detach`. From any process to the holder: `peek`, answered with
 * `screen` (the text on it), and `end`. From the holder: `output`, `exit`, `taken` (another terminal attached) and `failed` (the program
 * could not be started).
 */
const letters = {
  hello: "H",
  input: "I",
  resize: "R",
  detach: "D",
  peek: "P",
  screen: "S",
  end: "E",
  output: "O",
  exit: "X",
  taken: "K",
  failed: "F",
} as const;

export type FrameKind = keyof typeof letters;

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as FrameKind]));
const headBytes = 5;
/** Larger than any redraw. A longer frame does not come from Reins. */
export const longestFrameBytes = 16 * 1024 * 1024;

export function frame(kind: FrameKind, content: Buffer | string | object = ""): Buffer {
  const bytes = Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  const head = Buffer.alloc(headBytes);
  head.write(letters[kind], 0, "latin1");
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Splits a stream into frames. Throws on bytes that are no frame and on overlong frames. */
export class FrameReader {
  readonly #longest: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(longestBytes = longestFrameBytes) {
    this.#longest = longestBytes;
  }

  push(chunk: Buffer): Frame[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (rest.length >= headBytes) {
      const kind = kinds.get(rest[0]!);
      const length = rest.readUInt32BE(1);
      if (kind === undefined || length > this.#longest) throw new Error("These bytes are not a frame of a terminal.");
      if (rest.length < headBytes + length) break;
      frames.push({ kind, bytes: rest.subarray(headBytes, headBytes + length) });
      rest = rest.subarray(headBytes + length);
    }
    this.#rest = rest;
    return frames;
  }
}
