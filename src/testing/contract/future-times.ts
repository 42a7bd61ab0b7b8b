/**
 * Times that lay ahead when something was recorded, such as when a limit is over: a day later they would lie behind, and mean
 * something else. A recording keeps how far ahead they were.
 */

/** Sooner than this a time ahead is about the recording itself. */
const soonMs = 60_000;
const latestMs = 400 * 86_400_000;

/** In the text of a line of JSON: `"resetsAt":1794872416` becomes `"resetsAt":"{in 3600 s}"`. */
export function hideFutureTimes(json: string, now: number): string {
  return json.replaceAll(/(?<=[:,[])(\d{10})(\d{3})?(?=[,\]}])/g, (digits: string, _seconds, milliseconds?: string) => {
    const unit = milliseconds === undefined ? 1000 : 1;
    const ahead = Number(digits) * unit - now;
    if (ahead < soonMs || ahead > latestMs) return digits;
    return `"{in ${Math.round(ahead / unit)} ${unit === 1 ? "ms" : "s"}}"`;
  });
}

export function showFutureTimes(json: string, now: number): string {
  return json.replaceAll(/"\{in (\d+) (ms|s)\}"/g, (_all, ahead: string, unit: "ms" | "s") =>
    String(Math.floor(unit === "ms" ? now : now / 1000) + Number(ahead)),
  );
}
