/** The grammars of highlight.js have no types. */
declare module "highlight.js/lib/languages/*" {
  const grammar: unknown;
  export { grammar as default };
}
