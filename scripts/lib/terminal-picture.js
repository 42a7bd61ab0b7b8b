/** Renders the screen of the terminal emulator as HTML, for a browser to draw. */

const looks = {
  dark: { background: "#0d1117", foreground: "#e6edf3", answer: "rgb:0d0d/1111/1717" },
  light: { background: "#ffffff", foreground: "#1f2328", answer: "rgb:ffff/ffff/ffff" },
};

/** The reply of a terminal with this theme to a query for its background colour. */
export const backgroundOf = (look) => looks[look].answer;

const hex = (color) => `#${color.toString(16).padStart(6, "0")}`;
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function styleOf(cell, { background, foreground }) {
  let front = cell.isFgRGB() ? hex(cell.getFgColor()) : foreground;
  let back = cell.isBgRGB() ? hex(cell.getBgColor()) : undefined;
  if (cell.isInverse()) [front, back] = [back ?? background, front];
  return [
    front === foreground ? "" : `color:${front}`,
    back === undefined ? "" : `background:${back}`,
    cell.isBold() ? "font-weight:bold" : "",
    cell.isDim() ? "opacity:.65" : "",
    cell.isItalic() ? "font-style:italic" : "",
    cell.isUnderline() ? "text-decoration:underline" : "",
    cell.isStrikethrough() ? "text-decoration:line-through" : "",
  ]
    .filter(Boolean)
    .join(";");
}

function rowOf(line, columns, look) {
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue;
    if (!cell.isFgRGB() && !cell.isFgDefault())
      throw new Error(`The screen uses palette colour ${cell.getFgColor()}. Pictures need COLORTERM=truecolor.`);
    const style = styleOf(cell, look);
    const chars = cell.getChars() || " ";
    if (runs.at(-1)?.style === style) runs.at(-1).text += chars;
    else runs.push({ style, text: chars });
  }
  return runs
    .map(({ style, text }) => (style === "" ? escape(text) : `<span style="${style}">${escape(text)}</span>`))
    .join("");
}

/** The element `#screen` contains the screen. */
export function screenHtml({ buffer, cols, rows }, lookName) {
  const look = looks[lookName];
  const { active } = buffer;
  const drawn = Array.from({ length: rows }, (_, row) => rowOf(active.getLine(active.baseY + row), cols, look));
  const css = [
    "body{margin:0}",
    `#screen{display:inline-block;padding:12px 14px;background:${look.background};color:${look.foreground}}`,
    "pre{margin:0;font:14px/17px 'DejaVu Sans Mono',monospace}",
  ].join("");
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><div id="screen"><pre>${drawn.join("\n")}</pre></div>`;
}
