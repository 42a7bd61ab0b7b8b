import { expect, test } from "vitest";
import { begin, button, conversation, openSession, permission, prompt, said } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();

test("what is answered in one tab is settled in the other", async () => {
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

test("what is said in one tab is said in the other, word for word and once", async () => {
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
  for (const page of [first, second])
    await conversation(page)
      .getByText(/done in/)
      .nth(1)
      .waitFor();
  expect(await conversation(first).innerText()).toBe(await conversation(second).innerText());
});

test("two answers to one request: the second is told that it was settled", async () => {
  const first = await scene.enter();
  const second = await scene.secondTab();
  const id = await begin(scene.site, "demo", "write both.txt 1");
  for (const page of [first, second]) await openSession(page, scene.site, id);
  for (const page of [first, second]) await permission(page, /both\.txt/).waitFor();
  await Promise.all([button(first, /^Allow once/).click(), button(second, /^Allow once/).click()]);
  for (const page of [first, second]) await said(page, /done in/).waitFor();
  for (const page of [first, second])
    expect(
      await conversation(page)
        .getByText(/done in/)
        .count(),
    ).toBe(1);
  // A request that was settled meanwhile is a 409, which a browser writes into its console.
  scene.allow(/status of 409/);
});
