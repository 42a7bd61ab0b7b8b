import type { Content } from "../../events/types.ts";
import type { Put } from "./keep.ts";

/** Blocks of content, with the bytes of large images in a place of their own. */
export function slimmed(content: readonly Content[], maxBytes: number, put: Put | undefined): Content[] {
  return content.map((block) => {
    if (block.type !== "image" || block.data === undefined || block.data.length <= maxBytes) return block;
    const bytes = Buffer.from(block.data, "base64");
    const ref = put?.(bytes);
    if (ref === undefined) return block;
    const { data: _data, ...rest } = block;
    return { ...rest, bytes: bytes.length, ref };
  });
}
