/** The part of highlight.js that is used. Its own types bring those of the DOM into every file of the project. */
declare const hljs: {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
};
export { hljs as HighlightJS };
