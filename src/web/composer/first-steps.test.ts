import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { firstSteps } from "../../view/first-steps.ts";
import { FirstSteps } from "./first-steps.tsx";

test("the page offers the first steps as buttons", () => {
  const html = renderToStaticMarkup(createElement(FirstSteps, { onChoose: () => undefined }));
  const buttons = [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, text]) =>
    text?.replaceAll(/<[^>]+>/g, ""),
  );
  expect(buttons).toEqual(firstSteps.map(({ title, command }) => `${title} ${command}`));
});
