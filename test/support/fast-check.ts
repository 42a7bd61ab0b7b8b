/** Chance that can be repeated: the same everywhere, so that what is green stays green; `REINS_TEST_SEED=<seed>` looks elsewhere. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["REINS_TEST_SEED"] ?? 20_261_115) });

export { fc };
