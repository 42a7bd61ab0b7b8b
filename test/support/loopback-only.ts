/** Refuses requests to other machines, and fails a test that makes one even when it handles the refusal. */
import { afterEach } from "vitest";

declare global {
  /** Test files that share a worker each load this module: share the list and wrap fetch once, or every request gets slower. */
  var loopbackOnly: { readonly tried: string[]; readonly real: typeof fetch } | undefined;
}

const { tried, real } = (globalThis.loopbackOnly ??= { tried: [], real: globalThis.fetch });

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  // Names that end in `.invalid` never resolve.
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.invalid)$/.test(url.hostname) || url.protocol === "data:")
    return real(input, init);
  tried.push(url.origin);
  return Promise.reject(new Error(`A test sent a request to ${url.origin}. Tests may only use this machine.`));
};

/** For a test that makes such a request on purpose. */
export const takeTried = (): string[] => tried.splice(0);

afterEach(() => {
  const [origin] = takeTried();
  if (origin !== undefined) throw new Error(`The test sent a request to ${origin}. Tests may only use this machine.`);
});
