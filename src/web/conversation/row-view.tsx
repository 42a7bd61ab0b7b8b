import { createContext, memo, use, useEffect, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import { endWords, phaseWords } from "../../view/labels.ts";
import type { TurnEntry } from "../../view/model.ts";
import { tokens, useNow } from "../format/format.ts";
import { SlashBox } from "../slash/slash-box.tsx";
import { classes, Icon } from "../ui/basics.tsx";
import { ItemView, Prompt } from "./item-view.tsx";
import type { Row } from "./rows.ts";

/** True while a request is pending, whatever phase the turn reports. */
export const WaitingContext = createContext(false);

/** Seconds after which a running turn shows its clock: a short turn needs none. */
const clockFrom = 3;

function Working({ turn }: { readonly turn: TurnEntry }) {
  const seconds = Math.max(0, Math.floor((useNow(1_000) - Date.parse(turn.startedAt)) / 1_000));
  const waiting = use(WaitingContext);
  const phase = waiting ? "person" : turn.phase;
  return (
    <p className="working">
      <span className="working-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span>{phase === undefined ? "Working" : phaseWords(phase)}</span>
      {seconds >= clockFrom && <span className="working-time">{seconds} s</span>}
    </p>
  );
}

function TurnFoot({ turn }: { readonly turn: TurnEntry }) {
  const { end, usage } = turn;
  if (end === undefined) return <Working turn={turn} />;
  const { error } = end;
  const used = usage?.tokens;
  const good = end.outcome === "done";
  const dropped =
    end.outcome === "cancelled" && turn.items.some((item) => item.kind === "input" && item.how === "queue");
  return (
    <>
      {error !== undefined && (
        <div className="turn-error" role="note">
          <Icon name="warn" />
          <div>
            <p dir="auto">{oneLine(error.message)}</p>
            {error.help !== undefined && <p className="quiet-words">{oneLine(error.help)}</p>}
            {error.resetsAt !== undefined && (
              <p className="quiet-words">Try again after {new Date(error.resetsAt).toLocaleString()}.</p>
            )}
          </div>
        </div>
      )}
      <p className={good ? "turn-foot" : "turn-foot not-done"}>
        {good && <Icon name="check" size={12} />}
        <span>
          {endWords({ ...end, error: undefined }, usage?.costUsd)}
          {dropped && " · queued prompts were cancelled too"}
          {used !== undefined && (
            <>
              {" · "}
              <abbr title={tokensTitle(used)}>
                {tokens(used.input + (used.cacheRead ?? 0) + (used.cacheWrite ?? 0))} in, {tokens(used.output)} out
              </abbr>
            </>
          )}
        </span>
      </p>
    </>
  );
}

function tokensTitle(used: NonNullable<NonNullable<TurnEntry["usage"]>["tokens"]>): string {
  const { input, output, cacheRead, cacheWrite, thought } = used;
  return [
    `${input} tokens in`,
    cacheRead !== undefined && `${cacheRead} from the cache`,
    cacheWrite !== undefined && `${cacheWrite} into the cache`,
    `${output} out`,
    thought !== undefined && `${thought} of them thinking`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}

interface RowViewProps {
  readonly row: Row;
  /** The row is redrawn only when its stamp changes. */
  readonly stamp: string;
  readonly sought: SearchMark;
}

/** The row is a search result: found just now, or a while ago. */
export type SearchMark = "now" | "before" | undefined;

export const RowView = memo(
  function RowView({ row, sought }: RowViewProps) {
    const element = useRef<HTMLDivElement>(null);
    useEffect(() => (sought === "now" ? focusWhenSeen(element.current) : undefined), [sought]);
    // Keep the row focusable after the highlight ends, so that the focus is not lost.
    const place = sought === undefined ? {} : { tabIndex: -1, role: "group", "aria-label": "Search result" };
    return (
      <div
        ref={element}
        className={classes(`row row-${row.kind === "item" ? row.item.kind : row.kind}`, sought === "now" && "sought")}
        {...place}
      >
        <div className="row-inside">{inside(row)}</div>
      </div>
    );
  },
  (before, after) =>
    before.stamp === after.stamp &&
    before.sought === after.sought &&
    before.row.key === after.row.key &&
    sameSubject(before.row, after.row),
);

function inside(row: Row) {
  switch (row.kind) {
    case "prompt":
      return row.turn.input === undefined ? null : <Prompt input={row.turn.input} path={row.key} />;
    case "item":
      return <ItemView item={row.item} path={row.key} />;
    case "end":
      return <TurnFoot turn={row.turn} />;
    case "box":
      return <SlashBox shown={row.shown} />;
  }
}

function sameSubject(before: Row, after: Row): boolean {
  if (before.kind === "item") return after.kind === "item" && before.item === after.item;
  if (before.kind === "box") return after.kind === "box" && before.shown === after.shown;
  return "turn" in after && before.turn === after.turn;
}

/** The list hides a row until it knows its height, and a hidden element cannot take the focus. */
function focusWhenSeen(element: HTMLElement | null): () => void {
  let frame = 0;
  const look = (): void => {
    element?.focus({ preventScroll: true });
    if (element !== document.activeElement) frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}
