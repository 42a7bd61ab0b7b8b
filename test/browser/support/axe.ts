/** Accessibility problems that axe-core finds, limited to those that lock people out. */
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** A new theme applies with the next frame; wait for its colour transitions too. */
const settled = `new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
  .then(() => document.getAnimations().filter((one) => one instanceof CSSTransition))
  .then((all) => Promise.all(all.map((one) => one.finished.catch(() => undefined))))
  .then(() => undefined)`;

/** Lines, one per problem: the rule and the element that breaks it. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  await page.evaluate(settled);
  const findings: Finding[] = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations)`,
  );
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ""}`),
    );
}
