/** A key, independent of what the terminal sent for it. Made in `screen/input.ts`, the only place that knows key protocols. */
export interface Key {
  /**
   * Lower case: `a`, `enter`, `escape`, `tab`, `backspace`, `delete`, `up`, `down`, `left`, `right`, `home`, `end`, `pageup`, `pagedown`,
   * `space`, `f1`.
   */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** The text that the key types, if any: `A`, `é`, a whole composed character. */
  readonly text?: string | undefined;
}

/** All input of a terminal. */
export type TerminalInput =
  | { readonly kind: "key"; readonly key: Key }
  /** Bracketed paste, byte for byte. */
  | { readonly kind: "paste"; readonly text: string }
  /** Zero-based cell. */
  | {
      readonly kind: "mouse";
      readonly action: "press" | "drag" | "release" | "wheelup" | "wheeldown";
      readonly column: number;
      readonly row: number;
      readonly shift: boolean;
    }
  | { readonly kind: "focus"; readonly focused: boolean }
  | { readonly kind: "resize" };

/** `ctrl+x`, `shift+tab`, `alt+enter`, `a`: the notation of key bindings. Shift is left out when the key types text. */
export function keyName({ name, ctrl, alt, shift, text }: Key): string {
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift && text === undefined ? "shift+" : ""}${name}`;
}
