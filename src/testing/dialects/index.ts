import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";

/** Every wire the scripted model speaks, all at the same address. */
export const dialects: readonly Dialect[] = [anthropic];
