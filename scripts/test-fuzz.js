/** `npm run test:fuzz [-- vitest arguments]`: compares 100,000 random command lines with bash. REINS_TEST_SEED selects others. */
import { must } from "./lib/command.js";

const env = { REINS_FUZZ_LINES: "100000", ...process.env };
await must("vitest", ["run", "src/core/policy/shell/read.fuzz.test.ts", ...process.argv.slice(2)], { env });
