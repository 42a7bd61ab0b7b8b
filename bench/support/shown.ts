/**
 * For `page.evaluate`: milliseconds until the page shows these words, on the page's own clock, which starts with the navigation. A string,
 * because the page's content security policy forbids other evaluation.
 */
export function shown(words: string): string {
  return `new Promise((resolve) => {
    const look = () => document.body?.textContent.includes(${JSON.stringify(words)}) ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  })`;
}
