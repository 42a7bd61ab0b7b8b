/** For `page.evaluate`: milliseconds on the page's own clock, which begins with the navigation, until it shows these words. The page's own policy lets nobody else evaluate. */
export function shown(words: string): string {
  return `new Promise((resolve) => {
    const look = () => document.body?.textContent.includes(${JSON.stringify(words)}) ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  })`;
}
