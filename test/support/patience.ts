/**
 * Raises the timeout of `vi.waitFor`, which only has to end a hanging test: vitest's default of one second is too short on a busy machine.
 */
import { vi } from "vitest";

declare global {
  /** Test files that share a worker each load this module and must wrap it once. */
  var patientWaitFor: typeof vi.waitFor | undefined;
}

const real = (globalThis.patientWaitFor ??= vi.waitFor);

vi.waitFor = (check, options) => real(check, options ?? { timeout: 60_000 });
