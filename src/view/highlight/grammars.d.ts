/** Grammars of highlight.js have no types of their own. */
declare module "highlight.js/lib/languages/*" {
  const grammar: unknown;
  export { grammar as default };
}
