import { expect, test } from "vitest";
import { begin, button, conversation, openSession, permission, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();

test("settles a request in both tabs when one answers it", async () => {
  const first = await scene.enter();
  const second = await scene.secondTab();
  const id = await begin(scene.site, "demo", "write shared.txt 1; ask Which one?");
  for (const page of [first, second]) await openSession(page, scene.site, id);
  for (const page of [first, second]) await permission(page, /shared\.txt/).waitFor();
  await button(second, /^Allow once/).click();
  await permission(first, /shared\.txt/).waitFor({ state: "detached" });
  await first.getByRole("radio", { name: "No" }).check();
  await button(first, "Answer").click();
  for (const page of [first, second]) await said(page, "You answered: No.").waitFor();
  await second.getByRole("radio", { name: "No" }).waitFor({ state: "detached" });
});

test("shows the same text exactly once in both tabs", async () => {
  const first = await scene.enter();
  const second = await scene.secondTab();
  const id = await begin(scene.site, "native", "scenario:slow-text Go.");
  for (const page of [first, second]) await openSession(page, scene.site, id);
  for (const page of [first, second]) await said(page, "The first half,").waitFor();
  scene.site.model.release("slow");
  for (const page of [first, second]) await said(page, /done in/).waitFor();
  await prompt(second).fill("scenario:text Again.");
  await prompt(second).press("Enter");
  for (const page of [first, second]) await said(page, "Hello from the scripted model.").waitFor();
  await conversation(second)
    .getByText(/done in/)
    .nth(1)
    .waitFor();
  const there = await conversation(second).innerText();
  // A browser renders only the tab in front.
  await first.bringToFront();
  await expect.poll(() => conversation(first).innerText()).toBe(there);
});
