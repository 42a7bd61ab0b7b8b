/** All text from an agent, a model, a file or a command is shown as text and never executed. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PageElement } from "./support/in-page.ts";
import { conversation, openSession, prompt } from "./support/parts.ts";
import { hostileTexts, keepHostileSession } from "./support/hostile-session.ts";
import { useScene } from "./support/scene.ts";

const [script = "", image = ""] = hostileTexts;
const turnedAround = "invoice\u202Efdp.exe";

const scene = useScene({
  files: { [`notes/${image.replaceAll("/", "")}.txt`]: script },
  keep: (store, folder) => keepHostileSession(store, "ses_hostile", folder),
  scenarios: [
    {
      name: "hostile-question",
      steps: [
        [
          { say: image },
          { call: { tool: "question", question: `${script} ${image}`, choices: [image, script, turnedAround] } },
        ],
        [{ say: "The answer was: {lastResult}" }],
      ],
    },
    {
      name: "hostile-command",
      steps: [
        [{ call: { tool: "shell", command: `echo '${image}'; printf '\\033[31m%s' '${script}'` } }],
        [{ say: "{lastResult}" }],
      ],
    },
    { name: "hostile-error", steps: [[{ error: { status: 400, message: `${script} ${image}` } }]] },
  ],
});

/** Finds elements and effects that hostile text must not cause. */
const findings = `(() => {
  const found = [];
  if (window.pwned !== undefined) found.push("a script ran: " + window.pwned);
  for (const element of document.querySelectorAll("script, iframe, object, embed, base, form[action], style, svg a, [srcdoc]"))
    if (element.closest("#root") !== null) found.push(element.outerHTML.slice(0, 200));
  for (const link of document.querySelectorAll("a[href]")) {
    const address = link.getAttribute("href");
    if (!/^(?:https?:|mailto:|#|\\/)/.test(address)) found.push("link: " + address);
    if (/^https?:/.test(address) && !/noopener|noreferrer/.test(link.rel)) found.push("no rel: " + address);
  }
  for (const { src } of document.querySelectorAll("img, video, audio, source"))
    if (!src.startsWith(location.origin + "/") && !/^(?:blob|data):/.test(src)) found.push("source: " + src);
  for (const element of document.querySelectorAll("*"))
    for (const { name } of element.attributes) if (/^on/.test(name)) found.push(name + " on " + element.tagName);
  const strange = /[\\u202a-\\u202e\\u2066-\\u2069\\u001b\\u009b\\u0000\\u0007]/.exec(document.body.textContent + document.title);
  if (strange !== null) found.push("a character that is not to be seen: " + strange[0].charCodeAt(0).toString(16));
  return found;
})()`;

/** Scrolls from the beginning to the end, or to `upTo`, and opens everything that is folded. */
async function walkThrough(page: Page, look: () => Promise<void>, upTo?: string): Promise<void> {
  const scroller = conversation(page);
  await scroller.focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < 200; step += 1) {
    await scroller
      .locator("[aria-expanded=false]")
      .evaluateAll((folded: PageElement[]) => folded.forEach((one) => one.click()));
    await look();
    if (upTo !== undefined && (await scroller.innerText()).includes(upTo)) return;
    const isEnd = await scroller.evaluate(
      (element: PageElement) => element.scrollTop + element.clientHeight >= element.scrollHeight - 1,
    );
    if (isEnd) return;
    await scroller.hover();
    await page.mouse.wheel(0, 400);
  }
  throw new Error("The end of the conversation was never reached.");
}

test("in a stored session, fully unfolded", async () => {
  const page = await scene.enter();
  await openSession(page, scene.site, "ses_hostile");
  await conversation(page).getByText("The last prompt of a hostile session").waitFor();
  expect(await page.evaluate(findings)).toEqual([]);
  const seen: string[] = [];
  // A line of a megabyte follows; its end was checked before.
  await walkThrough(
    page,
    async () => {
      expect(await page.evaluate(findings)).toEqual([]);
      seen.push(await conversation(page).innerText());
    },
    "<b>x</b>".repeat(2_000),
  );
  const text = seen.join("\n");
  for (const one of hostileTexts.slice(0, 2)) expect(text).toContain(one);
  expect(page.url()).toContain("ses_hostile");
});

test("in questions, and an answer with such a label arrives unchanged", async () => {
  const page = await scene.enter();
  const { id } = await scene.site.call<{ id: string }>("POST", "/api/sessions", {
    agent: "native",
    cwd: scene.site.folder,
    prompt: "scenario:hostile-question",
  });
  await openSession(page, scene.site, id);
  await page.getByRole("radio", { name: image }).check();
  expect(await page.evaluate(findings)).toEqual([]);
  await page.getByRole("button", { name: "Answer" }).click();
  await conversation(page).getByText("The answer was:").waitFor();
  expect(await page.evaluate(findings)).toEqual([]);
});

test("in a permission request, a title and an error", async () => {
  const page = await scene.enter();
  const { id } = await scene.site.call<{ id: string }>("POST", "/api/sessions", {
    agent: "native",
    cwd: scene.site.folder,
    prompt: "scenario:hostile-command",
  });
  await scene.site.call("PATCH", `/api/sessions/${id}`, { title: `${image} ${turnedAround}` });
  await openSession(page, scene.site, id);
  const allow = page.getByRole("button", { name: /^Allow once/ });
  await allow.waitFor();
  expect(await page.evaluate(findings)).toEqual([]);
  await allow.click();
  await conversation(page).getByText("onerror").first().waitFor();
  await prompt(page).fill("scenario:hostile-error");
  await prompt(page).press("Enter");
  await conversation(page).getByText("<script>").last().waitFor();
  await walkThrough(page, async () => expect(await page.evaluate(findings)).toEqual([]));
});
