/** A wait is over when what it waits for is there. How long that may take only ends a test that hangs: vitest's own second is soon over on a busy machine. */
import { vi } from "vitest";

declare global {
  /** Files that share a worker load this anew each, and wrap it once. */
  var patientWaitFor: typeof vi.waitFor | undefined;
}

const real = (globalThis.patientWaitFor ??= vi.waitFor);

vi.waitFor = (check, options) => real(check, options ?? { timeout: 60_000 });
