import { printable } from "../../events/printable.ts";

/** Markdown as plain data, for every renderer. HTML in it is plain text. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "em" | "strong" | "del"; readonly children: readonly Inline[] }
  /** `href` is undefined when the address is not a web address, such as a file or `javascript:`. */
  | {
      readonly kind: "link";
      readonly href: string | undefined;
      readonly target: string;
      readonly children: readonly Inline[];
    };

export type Align = "left" | "center" | "right" | undefined;

export interface ListItem {
  /** Undefined for an item that is no task. */
  readonly checked: boolean | undefined;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  /** `open` while the closing fence is missing. */
  | { readonly kind: "code"; readonly language: string; readonly text: string; readonly open: boolean }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "list";
      /** First number of an ordered list; undefined for bullets. */
      readonly start: number | undefined;
      readonly loose: boolean;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: "table";
      readonly align: readonly Align[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: "rule" };

/** Returns the address when a link may lead there; undefined for everything else, such as `javascript:` and files. */
export function safeAddress(address: string): string | undefined {
  const plain = printable(address).trim();
  return plain.length <= 2048 && /^(?:https?:\/\/[^\s/]|mailto:[^\s])\S*$/i.test(plain) ? plain : undefined;
}
