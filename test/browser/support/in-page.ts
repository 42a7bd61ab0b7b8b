/** As much of a browser's types as functions that run in the page need: the rest of the project is not to know any. */
export interface PageElement {
  readonly id: string;
  readonly clientHeight: number;
  readonly scrollHeight: number;
  scrollTop: number;
  click(): void;
  matches(selector: string): boolean;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  closest(selector: string): PageElement | null;
  contains(other: PageElement): boolean;
  getAttribute(name: string): string | null;
}

export interface PageDocument {
  readonly activeElement: PageElement | null;
}
