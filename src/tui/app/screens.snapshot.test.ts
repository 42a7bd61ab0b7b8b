/** Whole screens of typical work in a small and a large terminal, dark and light. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contrast, type Colour } from "../../../test/support/contrast.ts";
import { keys, openTui, type Tui } from "../../../test/support/tui.ts";

const themes = ["dark", "light"] as const;
type ThemeName = (typeof themes)[number];

interface Shot {
  readonly name: string;
  readonly rows: readonly string[];
  /** Text colours on the screen, with their backgrounds, and other styles. */
  readonly styles: readonly string[];
}

test.each([
  [80, 24],
  [120, 40],
])("at %i x %i", async (columns, rows) => {
  const dark = await shotsOf({ columns, rows, theme: "dark" });
  const light = await shotsOf({ columns, rows, theme: "light" });
  expect(light.map((shot) => shot.rows)).toEqual(dark.map((shot) => shot.rows));
  const told = dark.flatMap(({ name, rows: shown, styles }, index) => [
    `== ${name}`,
    ...shown,
    `-- dark: ${styles.join(" ")}`,
    `-- light: ${light[index]!.styles.join(" ")}`,
  ]);
  await expect(`${told.join("\n")}\n`).toMatchFileSnapshot(`./__snapshots__/screens.${columns}x${rows}.txt`);
});

async function shotsOf({ theme, ...size }: { columns: number; rows: number; theme: ThemeName }): Promise<Shot[]> {
  const tui = openTui({
    ...size,
    ui: { theme },
    keep: true,
    prepare: (cwd) => writeFileSync(join(cwd, "door.txt"), "one red door"),
    // A fixed clock: temporary messages stay.
    host: { now: () => 1_800_000_000_000 },
  });
  const shots: Shot[] = [];
  const shoot = (name: string): void => void shots.push(shotOf(tui, name, theme));

  await tui.shows("No coding agent is ready");
  await tui.hides("Loading the repository");
  shoot("greeting");

  tui.send("write door.txt one blue door");
  await tui.shows("y Allow once");
  shoot("a request waits");

  tui.type(`${keys.ctrl("x")}n`);
  await tui.shows("waiting elsewhere");
  tui.send("/sessions");
  await tui.shows("waiting for you");
  shoot("sessions");

  tui.type(keys.escape);
  await tui.hides("waiting for you");
  tui.type(keys.ctrl("n"));
  await tui.shows("y Allow once");
  tui.type("y");
  await tui.shows("Worked");
  tui.send("/status");
  await tui.shows("has no MCP servers");
  shoot("/status");

  tui.send("/diff");
  await tui.shows("Changes");
  shoot("/diff");
  return shots;
}

function shotOf(tui: Tui, name: string, theme: ThemeName): Shot {
  const rows = tui.port.screen().map(steady);
  return { name, rows, styles: stylesOn(tui, theme) };
}

/** Replaces ids and times, which differ in each run, and keeps the columns. */
function steady(row: string): string {
  const [left = "", ...right] = row.split(/(?= {2}│(?: |$))/);
  const same = left
    .replace(/Worked [^·]+ ·/, "Worked 0 ms ·")
    .replace(/(Session {4}ses_)[\da-f]{8}/, "$1........")
    .padEnd(right.length === 0 ? 0 : left.length)
    .slice(0, left.length);
  return [same, ...right].join("");
}

const backgrounds: Readonly<Record<ThemeName, Colour>> = { dark: [0x1e, 0x1e, 0x1e], light: [255, 255, 255] };

/** Checks that every text on the screen is readable. */
function stylesOn({ port }: Tui, theme: ThemeName): readonly string[] {
  const { active } = port.terminal.buffer;
  const styles = new Set<string>();
  for (let row = 0; row < port.rows; row++)
    for (let column = 0; column < port.columns; column++) {
      const cell = active.getLine(active.baseY + row)?.getCell(column);
      if (cell === undefined || cell.getChars().trim() === "") continue;
      const front = cell.isFgRGB() ? rgb(cell.getFgColor()) : undefined;
      const back = cell.isBgRGB() ? rgb(cell.getBgColor()) : undefined;
      expect(cell.isFgPalette() || cell.isBgPalette()).toBe(false);
      if (front !== undefined) expect(contrast(front, back ?? backgrounds[theme])).toBeGreaterThanOrEqual(4.5);
      // The terminal's default text colour on a background of the theme may be unreadable.
      else expect(back).toBeUndefined();
      if (front !== undefined) styles.add(back === undefined ? hex(front) : `${hex(front)}/${hex(back)}`);
      if (cell.isBold() !== 0) styles.add("bold");
      if (cell.isInverse() !== 0) styles.add("inverse");
    }
  return [...styles].toSorted();
}

function rgb(value: number): Colour {
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
