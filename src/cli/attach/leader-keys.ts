/** Filters the keys for Reins (the leader followed by a letter) out of the keys for a program. */

/** The code of a letter with Ctrl: `ctrl+x` is 24. */
export function leaderCode(name = "ctrl+x"): number {
  const letter = /^ctrl\+([a-z])$/i.exec(name)?.[1]?.toLowerCase() ?? "x";
  return letter.charCodeAt(0) - 96;
}

/** The key for display: `Ctrl+X`. */
export function leaderName(code: number): string {
  return `Ctrl+${String.fromCharCode(code + 64)}`;
}

export interface Keys {
  /** Bytes to pass on to the program. */
  readonly send: string;
  readonly detach: boolean;
}

/** A key as an escape sequence: `CSI code ; modifiers : event u` (kitty), or `CSI 27 ; modifiers ; code ~` (xterm). */
const key = /\x1b\[(?:(\d+)(?::[\d:]*)?(?:;(\d+)(?::(\d))?)?(?:;[\d:]*)?u|27;(\d+);(\d+)~)|[\s\S]/gy;
const controlKey = 4;
/** Shift, Caps Lock and Num Lock do not change which key it is. */
const ignoredModifiers = 1 + 64 + 128;
const released = "3";

export class LeaderKeys {
  readonly #leader: number;
  /** The leader as typed, while the next key is awaited. */
  #held = "";

  constructor(leader: number) {
    this.#leader = leader;
  }

  /** `typed` is latin1, so that every byte is passed on unchanged. Pressing the leader twice sends it once. */
  push(typed: string): Keys {
    let send = "";
    for (const match of typed.matchAll(key)) {
      const [whole] = match;
      const { code, control, release } = read(match);
      const isLeader = control ? code === this.#leader + 96 : code === this.#leader;
      if (this.#held === "") {
        if (isLeader && !release) this.#held = whole;
        else send += whole;
      } else if (release) {
        // Releasing the leader is not the next key.
        send += isLeader ? "" : whole;
      } else {
        if (!control && (code === 100 || code === 68)) {
          this.#held = "";
          return { send, detach: true };
        }
        send += isLeader ? whole : this.#held + whole;
        this.#held = "";
      }
    }
    return { send, detach: false };
  }
}

interface Pressed {
  readonly code: number;
  readonly control: boolean;
  readonly release: boolean;
}

function read([whole, kitty, modifiers, event, xtermModifiers, xtermCode]: RegExpMatchArray): Pressed {
  const code = kitty ?? xtermCode;
  if (code === undefined) return { code: whole.charCodeAt(0), control: false, release: false };
  const held = (Number(modifiers ?? xtermModifiers ?? 1) - 1) & ~ignoredModifiers;
  // Another modifier, such as Alt, makes it a different key.
  const known = held === 0 || held === controlKey;
  return { code: known ? Number(code) : -1, control: held === controlKey, release: event === released };
}
