/**
 * The addon of xterm.js that measures graphemes. While it loads it decodes a table with `Buffer.from` and reads it from the start of the memory
 * below, which is another Buffer's where Node took it from its pool: "Data error", depending on what was allocated before.
 */
const { poolSize } = Buffer;
Buffer.poolSize = 0;
export const { UnicodeGraphemesAddon } = await import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;
