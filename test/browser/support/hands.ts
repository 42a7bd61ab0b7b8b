/** Two ways to operate the page: with a mouse, and with the keyboard alone. */
import type { Locator, Page } from "playwright-core";
import type { PageDocument, PageElement } from "./in-page.ts";

/** Functions given to `evaluate` run in the page. */
declare const document: PageDocument;

export interface Hands {
  press(target: Locator): Promise<void>;
  /** Types into a field, after its present text. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses an entry of a menu or list that a button opens, or of a select. */
  choose(opener: Locator, name: string | RegExp): Promise<void>;
}

export function mouse(page: Page): Hands {
  return {
    press: (target) => target.click(),
    async write(target, text) {
      await target.click();
      await page.keyboard.insertText(text);
    },
    async choose(opener, name) {
      // The system draws the options of a select, where playwright's pointer cannot click.
      if (await isSelect(opener)) return void (await opener.selectOption(await labelOf(opener, name)));
      await opener.click();
      await choice(page, name).click();
    },
  };
}

export function keyboard(page: Page): Hands {
  return {
    async press(target) {
      await reach(page, target);
      await page.keyboard.press((await target.evaluate(ticked)) ? "Space" : "Enter");
    },
    async write(target, text) {
      await reach(page, target);
      await page.keyboard.insertText(text);
    },
    async choose(opener, name) {
      await reach(page, opener);
      if (await isSelect(opener)) {
        await page.keyboard.type(await labelOf(opener, name));
        return;
      }
      await page.keyboard.press("Enter");
      const wanted = choice(page, name);
      await wanted.waitFor();
      await walk(page, wanted);
      await page.keyboard.press("Enter");
    },
  };
}

export const bothHands = [
  ["a mouse", mouse],
  ["the keyboard", keyboard],
] as const;

/** True when the element has the focus, or is the active descendant of a focused list. */
function focused(element: PageElement): boolean {
  const active = document.activeElement;
  if (element === active) return true;
  return element.id !== "" && element.id === active?.getAttribute("aria-activedescendant");
}

function ticked(element: PageElement): boolean {
  return element.matches("input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]");
}

/** "beside": the focus is on another part of a group with one tab stop, in which the arrow keys lead to the element. */
function nearness(element: PageElement): "there" | "beside" | "elsewhere" {
  const active = document.activeElement;
  if (element === active) return "there";
  if (active === null) return "elsewhere";
  const radio = "input[type=radio]";
  const group = element.closest("[role=radiogroup], [role=tablist], [role=toolbar], [role=menu], [role=listbox]");
  const sameRadios =
    element.matches(radio) && active.matches(radio) && active.getAttribute("name") === element.getAttribute("name");
  return sameRadios || group?.contains(active) === true ? "beside" : "elsewhere";
}

const mostSteps = 150;

/** Presses Tab until the element is reached, as a person without a mouse would; fails when it cannot be reached. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < mostSteps; step += 1) {
    const near = await target.evaluate(nearness);
    if (near === "there") return;
    if (near === "beside") return walk(page, target);
    await page.keyboard.press("Tab");
  }
  throw new Error(`${String(target)} cannot be reached with the keyboard.`);
}

/** Uses the arrow keys: down first, and then up for lists that do not wrap around. */
async function walk(page: Page, target: Locator): Promise<void> {
  for (const key of ["ArrowDown", "ArrowUp"])
    for (let step = 0; step < mostSteps / 4; step += 1) {
      if (await target.evaluate(focused)) return;
      await page.keyboard.press(key);
    }
  throw new Error(`${String(target)} cannot be reached with the arrow keys.`);
}

function choice(page: Page, name: string | RegExp): Locator {
  const by = { name, ...(typeof name === "string" && { exact: true }) };
  return page
    .getByRole("menuitem", by)
    .or(page.getByRole("menuitemradio", by))
    .or(page.getByRole("option", by))
    .first();
}

function isSelect(target: Locator): Promise<boolean> {
  return target.evaluate((element: PageElement) => element.matches("select"));
}

async function labelOf(select: Locator, name: string | RegExp): Promise<string> {
  const labels = await select.locator("option").allInnerTexts();
  const found = labels.find((label) => (typeof name === "string" ? label === name : name.test(label)));
  if (found === undefined) throw new Error(`There is no ${name} among ${labels.join(", ")}.`);
  return found;
}
