import { oneLine } from "../../events/printable.ts";
import type { TurnEntry } from "../../view/model.ts";
import { endWords } from "../../view/words.ts";
import { Icon } from "../ui/icon.tsx";
import { tokens } from "./amounts.ts";
import { Working } from "./working.tsx";

/** How a turn ended, what it took; or that it is at work. */
export function TurnFoot({ turn }: { readonly turn: TurnEntry }) {
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
              <p className="quiet-words">It can go on after {new Date(error.resetsAt).toLocaleString()}.</p>
            )}
          </div>
        </div>
      )}
      <p className={good ? "turn-foot" : "turn-foot not-done"}>
        {good && <Icon name="check" size={12} />}
        <span>
          {endWords({ ...end, error: undefined }, usage?.costUsd)}
          {dropped && " · what was queued is cancelled too"}
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

function tokensTitle({
  input,
  output,
  cacheRead,
  cacheWrite,
  thought,
}: NonNullable<NonNullable<TurnEntry["usage"]>["tokens"]>): string {
  return [
    `${input} tokens in`,
    cacheRead === undefined ? undefined : `${cacheRead} from the cache`,
    cacheWrite === undefined ? undefined : `${cacheWrite} into the cache`,
    `${output} out`,
    thought === undefined ? undefined : `${thought} of them thinking`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}
