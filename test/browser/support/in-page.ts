/** The few browser types that functions running in the page need. The rest of the project must not see DOM types. */
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
