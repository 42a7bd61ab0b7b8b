/** fast-check with a fixed seed, so that runs are repeatable; `REINS_TEST_SEED=<seed>` tries other values. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["REINS_TEST_SEED"] ?? 20_261_115) });

export { fc };
