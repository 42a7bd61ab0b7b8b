/** Turns terminal input into keys, pastes, mouse, focus and resize events. */
import type { TerminalInput } from "../key.ts";
import { graphemesOf } from "./clamp.ts";
import { characterKey, sequenceKey } from "./keys.ts";
import type { TerminalPort } from "./port.ts";
import { backgroundOf } from "./replies.ts";

const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";

/** A lone Esc is the Esc key when nothing follows within this time. */
const escapeMs = 25;
/** A longer sequence may be split by a slow connection; a single key would not be. */
const sequenceMs = 100;
/** A terminal without bracketed paste sends a paste like typing. Nobody types this much, with a newline in it, between two reads. */
const loosePasteLength = 64;

const csi = /\x1b\[(?:\[[A-E]|[0-?]*[ -/]*[@-~])/y;
const csiBegun = /\x1b\[(?:\[|[0-?]*[ -/]*)$/y;
const ss3 = /\x1bO\d*[A-Za-z]/y;
const ss3Begun = /\x1bO\d*$/y;
/** OSC, DCS, APC, PM and SOS: only replies of the terminal. */
const string = /\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)/y;
const stringBegun = /\x1b[\]P_^X][^\x07\x1b]*\x1b?$/y;
const typed = /[^\x00-\x1f\x7f]+/y;
const cursorPlace = /^\x1b\[\d+;\d+R$/;
const mouse = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/;

export class TerminalInputReader {
  readonly #port: TerminalPort;
  readonly #listener: (input: TerminalInput) => void;
  #stops: (() => void)[] = [];
  #rest = "";
  #timer: NodeJS.Timeout | undefined;
  /** Pieces of a bracketed paste that has not ended. */
  #paste: string[] | undefined;
  /** The last characters of those pieces, in case the end mark is split. */
  #pasteTail = "";
  /** Pieces of a paste without brackets. */
  #loose: string[] = [];
  #bracketsSeen = false;
  readonly #replyListeners = new Set<(reply: string) => void>();

  constructor(port: TerminalPort, listener: (input: TerminalInput) => void) {
    this.#port = port;
    this.#listener = listener;
  }

  start(): void {
    if (this.#stops.length > 0) return;
    this.#stops = [
      this.#port.onData((data) => this.feed(data)),
      this.#port.onResize(() => this.#listener({ kind: "resize" })),
    ];
  }

  /** Drops an unfinished sequence or paste. */
  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    clearTimeout(this.#timer);
    this.#rest = "";
    this.#paste = undefined;
    this.#loose = [];
  }

  /** The background colour as `#rrggbb`; undefined when the terminal does not report it. */
  queryBackground(timeoutMs: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const finish = (colour: string | undefined): void => {
        clearTimeout(timer);
        this.#replyListeners.delete(listen);
        resolve(colour);
      };
      const listen = (reply: string): void => {
        const colour = backgroundOf(reply);
        // Every terminal answers the second query (DA1), so that we do not wait for one that ignores the first.
        if (colour !== undefined || /^\x1b\[\?[\d;]*c$/.test(reply)) finish(colour);
      };
      const timer = setTimeout(finish, timeoutMs, undefined);
      this.#replyListeners.add(listen);
      this.#port.write("\x1b]11;?\x1b\\\x1b[c");
    });
  }

  /** Takes the next piece of input. */
  feed(data: string): void {
    clearTimeout(this.#timer);
    if (this.#paste) return this.#feedPaste(data);
    if (this.#rest === "" && this.#isLoosePaste(data)) {
      this.#loose.push(data);
      this.#timer = setTimeout(() => this.#endLoosePaste(), escapeMs);
      return;
    }
    this.#endLoosePaste();
    this.#parse(this.#rest + data);
  }

  #isLoosePaste(data: string): boolean {
    if (this.#bracketsSeen || data.includes("\x1b")) return false;
    return this.#loose.length > 0 || (data.length >= loosePasteLength && /[\r\n][^\r\n]/.test(data));
  }

  #endLoosePaste(): void {
    if (this.#loose.length === 0) return;
    const text = this.#loose.join("");
    this.#loose = [];
    this.#emitPaste(text);
  }

  #feedPaste(data: string): void {
    const paste = this.#paste ?? [];
    const seam = this.#pasteTail + data;
    const end = seam.indexOf(pasteEnd);
    if (end < 0) {
      paste.push(data);
      this.#pasteTail = seam.slice(-(pasteEnd.length - 1));
      return;
    }
    paste.push(data);
    this.#paste = undefined;
    const behind = seam.length - end;
    const all = paste.join("");
    this.#emitPaste(all.slice(0, all.length - behind));
    this.#parse(all.slice(all.length - behind + pasteEnd.length));
  }

  #emitPaste(pasted: string): void {
    // Most terminals send a newline of the clipboard as CR. Text with both was not changed by the terminal.
    const text = pasted.includes("\n") ? pasted : pasted.replaceAll("\r", "\n");
    this.#listener({ kind: "paste", text });
  }

  #parse(input: string): void {
    this.#rest = "";
    let at = 0;
    const match = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      return pattern.exec(input)?.[0];
    };
    while (at < input.length) {
      const text = match(typed);
      if (text !== undefined) {
        at += text.length;
        this.#type(text);
        continue;
      }
      if (input[at] !== "\x1b") {
        this.#key(characterKey(input[at] ?? ""));
        at += 1;
        continue;
      }
      if (input.startsWith(pasteStart, at)) {
        this.#bracketsSeen = true;
        this.#paste = [];
        this.#pasteTail = "";
        return this.#feedPaste(input.slice(at + pasteStart.length));
      }
      const sequence = match(csi) ?? match(ss3) ?? match(string);
      if (sequence !== undefined) {
        at += sequence.length;
        this.#sequence(sequence);
        continue;
      }
      if (at + 1 === input.length || [csiBegun, ss3Begun, stringBegun].some((begun) => match(begun) !== undefined)) {
        this.#rest = input.slice(at);
        this.#timer = setTimeout(() => this.#flush(), this.#rest.length > 2 ? sequenceMs : escapeMs);
        return;
      }
      at += this.#escaped(input, at);
    }
  }

  /** Nothing followed: an Esc, or Alt with a key that could have begun a sequence. A longer rest is a broken sequence. */
  #flush(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (rest === "\x1b") this.#key(characterKey(rest));
    else if (rest.length === 2) this.#key(characterKey(rest[1] ?? "", { alt: true }));
  }

  /** Esc and one character: Alt with that key. Returns the number of characters used. */
  #escaped(input: string, at: number): number {
    if (input[at + 1] === "\x1b") {
      // rxvt and iTerm2 send Alt+Up as Esc and the sequence of Up. Anything else after two Esc is a key of its own.
      const arrow = /\x1b\x1b\[[A-D]/y;
      arrow.lastIndex = at;
      const key = arrow.test(input) ? sequenceKey(input.slice(at + 1, at + 4)) : undefined;
      if (key) this.#key({ ...key, alt: true });
      else this.#key(characterKey("\x1b"));
      return key ? 4 : 1;
    }
    const character = String.fromCodePoint(input.codePointAt(at + 1) ?? 0);
    this.#key(characterKey(character, { alt: true }));
    return 1 + character.length;
  }

  #type(text: string): void {
    for (const grapheme of graphemesOf(text)) if (!/^[\x80-\x9f]/.test(grapheme)) this.#key(characterKey(grapheme));
  }

  #key(key: Extract<TerminalInput, { kind: "key" }>["key"]): void {
    this.#listener({ kind: "key", key });
  }

  #sequence(sequence: string): void {
    if (sequence === "\x1b[I" || sequence === "\x1b[O") {
      return this.#listener({ kind: "focus", focused: sequence === "\x1b[I" });
    }
    const report = mouse.exec(sequence);
    if (report) return this.#mouse(Number(report[1]), Number(report[2]), Number(report[3]), report[4] === "m");
    // A cursor position report, which an old terminal also sends for F3 with Shift or Ctrl.
    const key = cursorPlace.test(sequence) ? undefined : sequenceKey(sequence);
    if (key) return this.#key(key);
    for (const listener of this.#replyListeners) listener(sequence);
  }

  /** Only the left button and the wheel. */
  #mouse(code: number, column: number, row: number, released: boolean): void {
    const button = code & ~0b1_1100;
    const action = released
      ? "release"
      : button === 64
        ? "wheelup"
        : button === 65
          ? "wheeldown"
          : button === 0
            ? "press"
            : button === 32
              ? "drag"
              : undefined;
    if (action === undefined || (released && button !== 0)) return;
    const shift = (code & 4) !== 0;
    this.#listener({ kind: "mouse", action, column: Math.max(0, column - 1), row: Math.max(0, row - 1), shift });
  }
}
