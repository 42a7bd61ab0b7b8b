/** No test talks to anybody but this machine: who tries is refused, and the test fails whatever it makes of the refusal. */
import { afterEach } from "vitest";

declare global {
  /** Files that share a worker load this anew each: they share the list, and the one wrapping, or each request would take longer than the last. */
  var loopbackOnly: { readonly tried: string[]; readonly real: typeof fetch } | undefined;
}

const { tried, real } = (globalThis.loopbackOnly ??= { tried: [], real: globalThis.fetch });

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  // Nobody is at a name that ends in `.invalid`, ever.
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.invalid)$/.test(url.hostname) || url.protocol === "data:")
    return real(input, init);
  tried.push(url.origin);
  return Promise.reject(new Error(`A test asked ${url.origin}, and tests ask nobody but this machine.`));
};

/** For a test that means it. */
export const takeTried = (): string[] => tried.splice(0);

afterEach(() => {
  const [origin] = takeTried();
  if (origin !== undefined) throw new Error(`The test asked ${origin}, and tests ask nobody but this machine.`);
});
