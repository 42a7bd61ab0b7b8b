/** Tracks the modes that a program has switched on in its terminal, to switch them off when it leaves and on again after a reattach. */

/** Private modes (`CSI ? n h`) that are on in a fresh terminal: wrap at the margin, and a visible cursor. */
const initiallyOn: ReadonlySet<number> = new Set([7, 25]);
/** Alternate screens, and the cursor saved with them. They are entered first and left last. */
const alternateScreens: ReadonlySet<number> = new Set([47, 1047, 1048, 1049]);
/** Modes that are temporary or dangerous to repeat: 2026 holds back output until it is switched off, 3 changes the width. */
const neverRestored: ReadonlySet<number> = new Set([3, 2026]);

/**
 * Private modes, the kitty keyboard stack (`CSI > n u`, `CSI < n u`), modifyOtherKeys (`CSI > 4 ; n m`), keypad (`ESC =`) and a full reset.
 */
const sequences = /\x1b(?:\[\?([\d;]*)([hl])|\[([<>])(\d*)u|\[>4(?:;(\d))?m|([=>c]))/g;
/** A sequence that is cut at the end of a piece. */
const cutSequence = /\x1b(?:\[[?<>]?[\d;]{0,40})?$/;
const deepestKeyboardStack = 16;

export class TerminalModes {
  /** Modes that differ from a fresh terminal. */
  readonly #changed = new Map<number, boolean>();
  #keyboard: number[] = [];
  #otherKeys = 0;
  #keypad = false;
  #rest = "";

  /** `output` is latin1, so that each byte is one character. */
  push(output: string): void {
    const text = this.#rest + output;
    for (const match of text.matchAll(sequences)) this.#apply(match);
    this.#rest = cutSequence.exec(text)?.[0] ?? "";
  }

  get alternateScreen(): boolean {
    return [...alternateScreens].some((mode) => mode !== 1048 && this.#changed.get(mode) === true);
  }

  isOn(mode: number): boolean {
    return this.#changed.get(mode) ?? initiallyOn.has(mode);
  }

  /** Sequences that set these modes in a fresh terminal. The alternate screen is entered first. */
  enable(): string {
    const modes = [...this.#changed].filter(([mode]) => !neverRestored.has(mode));
    const first = modes.filter(([mode]) => alternateScreens.has(mode));
    const others = modes.filter(([mode]) => !alternateScreens.has(mode));
    return [
      ...[...first, ...others].map(([mode, on]) => `\x1b[?${mode}${on ? "h" : "l"}`),
      ...this.#keyboard.map((flags) => `\x1b[>${flags}u`),
      this.#otherKeys > 0 ? `\x1b[>4;${this.#otherKeys}m` : "",
      this.#keypad ? "\x1b=" : "",
    ].join("");
  }

  /** Sequences that restore the terminal as it was before the program, whatever the program left behind. */
  disable(): string {
    const modes = [...this.#changed].filter(([mode]) => !alternateScreens.has(mode));
    const screens = [...this.#changed].filter(([mode]) => alternateScreens.has(mode));
    return [
      // Setting the scroll region moves the cursor, so save the cursor around it.
      "\x1b7\x1b[r\x1b8\x1b[0m\x1b(B",
      ...[...modes, ...screens].map(([mode, on]) => `\x1b[?${mode}${on ? "l" : "h"}`),
      this.#keyboard.length > 0 ? `\x1b[<${this.#keyboard.length}u` : "",
      this.#otherKeys > 0 ? "\x1b[>4;0m" : "",
      this.#keypad ? "\x1b>" : "",
    ].join("");
  }

  #apply([, modes, set, stack, flags, otherKeys, short]: RegExpMatchArray): void {
    if (modes !== undefined) {
      for (const mode of modes.split(";").map(Number)) this.#set(mode, set === "h");
    } else if (stack === ">") {
      this.#keyboard = [...this.#keyboard, Number(flags || 0)].slice(-deepestKeyboardStack);
    } else if (stack === "<") {
      this.#keyboard = this.#keyboard.slice(0, Math.max(0, this.#keyboard.length - Number(flags || 1)));
    } else if (short === "c") {
      this.#changed.clear();
      this.#keyboard = [];
      this.#otherKeys = 0;
      this.#keypad = false;
    } else if (short !== undefined) {
      this.#keypad = short === "=";
    } else this.#otherKeys = Number(otherKeys ?? 0);
  }

  #set(mode: number, on: boolean): void {
    if (mode === 0 || !Number.isSafeInteger(mode)) return;
    if (on === initiallyOn.has(mode)) this.#changed.delete(mode);
    // A program that sets countless unknown modes must not fill the memory.
    else if (this.#changed.size < 64) this.#changed.set(mode, on);
  }
}
