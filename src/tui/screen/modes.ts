/** Terminal modes that the interface turns on, and how to turn them off. */

const csi = "\x1b[";

/** In terminals with synchronized output, the whole frame appears at once. */
export const frameStart = `${csi}?2026h`;
export const frameEnd = `${csi}?2026l`;

export const showCursor = `${csi}?25h`;
export const hideCursor = `${csi}?25l`;

/** Buttons and drags, not every movement (1003), in the SGR form that has no column limit. */
export const mouseOn = `${csi}?1002h${csi}?1006h`;
const mouseOff = `${csi}?1003l${csi}?1002l${csi}?1000l${csi}?1006l`;
export { mouseOff };

/**
 * Kitty keyboard flags: 1 (disambiguate escape codes) and 4 (report alternate keys, which gives the Latin letter of a key on a Cyrillic
 * layout). modifyOtherKeys gives Shift+Enter in xterm and tmux, which do not know the kitty flags.
 */
const kittyKeys = { on: `${csi}>5u`, off: `${csi}<u` };
const modifyOtherKeys = { on: `${csi}>4;1m`, off: `${csi}>4;0m` };
const paste = { on: `${csi}?2004h`, off: `${csi}?2004l` };
const focus = { on: `${csi}?1004h`, off: `${csi}?1004l` };
/** The terminal's stack of titles. */
const title = { save: `${csi}22;0t`, restore: `${csi}23;0t` };

/** The kitty flags are kept per screen buffer: write this after entering the alternate screen. */
export const modesOn = `${title.save}${paste.on}${focus.on}${modifyOtherKeys.on}${kittyKeys.on}`;

/** Safe to write at any time and more than once, except that each kitty `off` pops one entry of the terminal's stack. */
export const modesOff = `${frameEnd}${mouseOff}${paste.off}${focus.off}${kittyKeys.off}${modifyOtherKeys.off}${csi}0m${showCursor}${title.restore}`;

export const autowrapOn = `${csi}?7h`;
export const autowrapOff = `${csi}?7l`;

/** Autowrap is off in the full screen: a character that the terminal counts as wider must not push the row into the next one. */
export const enterAlternate = `${csi}?1049h${autowrapOff}`;
export const leaveAlternate = `${autowrapOn}${csi}?1049l`;

/**
 * Turns everything off after a full screen that ended without doing so. Begins with a string terminator, because the interface may have
 * died in the middle of a sequence.
 */
export const restoreSequence = `\x1b\\${modesOff}${leaveAlternate}`;

/**
 * The same for the inline screen, without leaving the alternate screen: on the main screen that sequence moves the cursor to an old place.
 * Erases the live rows after the cursor, where the shell may already have written its prompt.
 */
export const restoreInlineSequence = `\x1b\\${modesOff}${autowrapOn}${csi}J\r\n`;
