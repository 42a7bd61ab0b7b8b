import { dollars } from "../conversation/amounts.ts";
import { costWords, turnsWords } from "./usage-sums.ts";
import type { DaySum } from "./usage-sums.ts";

/** A bar a day: by cost, or by turns where nothing cost anything. */
export function UsageDays({ days }: { readonly days: readonly DaySum[] }) {
  const byCost = days.some(({ costUsd }) => costUsd > 0);
  const valueOf = (day: DaySum): number => (byCost ? day.costUsd : day.turns);
  const most = Math.max(...days.map(valueOf), 0);
  if (most === 0) return null;
  const dearest = days.find((day) => valueOf(day) === most);
  const words = byCost ? dollars(most) : turnsWords(most);
  const label = `${byCost ? "Cost" : "Turns"} by day; the most was ${words} on ${dearest?.day ?? ""}`;
  return (
    <figure className="usage-days">
      <svg viewBox={`0 0 ${days.length * 10} 60`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map((day, index) => (
          <rect
            key={day.day}
            x={index * 10 + 1}
            width={8}
            y={60 - Math.max(1, (58 * valueOf(day)) / most)}
            height={Math.max(1, (58 * valueOf(day)) / most)}
            className={valueOf(day) === 0 ? "none" : undefined}
          >
            <title>{`${day.day}: ${costWords(day)}, ${turnsWords(day.turns)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{days[0]?.day}</span>
        <span>
          {byCost ? "Cost" : "Turns"} by day, at most {words}
        </span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
