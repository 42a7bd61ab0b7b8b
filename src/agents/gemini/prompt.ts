/**
 * The blocks of a prompt as Gemini CLI takes them. Two traps: a link is glued to the text behind it, and with any file in the
 * prompt it drops every image without a word.
 */
type Block = Readonly<Record<string, unknown>>;

export function promptBlocks(blocks: readonly Block[]): readonly Block[] {
  const hasImages = blocks.some(({ type }) => type === "image");
  const given = hasImages ? blocks.map(asText) : blocks;
  return given.map((block, index) =>
    index > 0 && block["type"] === "text" && given[index - 1]?.["type"] !== "image"
      ? { ...block, text: `\n${String(block["text"])}` }
      : block,
  );
}

function asText(block: Block): Block {
  if (block["type"] === "resource_link")
    return { type: "text", text: `This file is part of the prompt; read it: ${pathOf(block["uri"])}` };
  if (block["type"] !== "resource") return block;
  const { uri, text } = Object(block["resource"]) as { uri?: unknown; text?: unknown };
  return { type: "text", text: `--- ${pathOf(uri)} ---\n${String(text)}\n--- end of the file ---` };
}

function pathOf(uri: unknown): string {
  const text = String(uri);
  try {
    return decodeURIComponent(new URL(text).pathname);
  } catch {
    return text;
  }
}
