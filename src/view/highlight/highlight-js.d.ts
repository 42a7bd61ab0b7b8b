/** The part of highlight.js that is used. Its own types would bring the DOM types into every file of the project. */
declare const hljs: {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
};
export { hljs as HighlightJS };
