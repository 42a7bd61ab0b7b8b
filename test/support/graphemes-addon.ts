/**
 * The addon of xterm.js that measures graphemes. While it loads it decodes a table with `Buffer.from` and reads from the start of the
 * underlying memory, which belongs to another Buffer when Node took it from its pool: it fails with "Data error" depending on earlier
 * allocations. So the pool is turned off meanwhile.
 */
const { poolSize } = Buffer;
Buffer.poolSize = 0;
export const { UnicodeGraphemesAddon } = await import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;
