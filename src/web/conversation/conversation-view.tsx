import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { VList, type VListHandle } from "virtua";
import type { ReinsEvent } from "../../events/types.ts";
import type { EventsAnswer } from "../../server/schemas/turns.ts";
import { navigate, sessionPath, useRoute } from "../state/route.ts";
import { call, sessionApi } from "../state/server.ts";
import type { SessionView } from "../state/session.ts";
import type { ShownBox } from "../slash/boxes.ts";
import { Button } from "../ui/basics.tsx";
import { ExpandedRowsContext, type ExpandedRows } from "./expanded-rows.tsx";
import { RowView, WaitingContext, type SearchMark } from "./row-view.tsx";
import { rowOf, Rows, stampOf } from "./rows.ts";

/** The event that the address names (`#/s/<id>?at=<seq>`). A new object for every navigation, so that effects run again. */
export function useSearchTarget(id: string): ReinsEvent | undefined {
  const at = Number(useRoute().query.get("at") ?? 0);
  const [sought, setSought] = useState<ReinsEvent>();
  useEffect(() => {
    if (!Number.isSafeInteger(at) || at < 1) return undefined;
    const leaving = new AbortController();
    const path = `${sessionApi(id)}/events?after=${at - 1}&limit=1`;
    call<EventsAnswer>("GET", path, undefined, { signal: leaving.signal }).then(
      ({ events }) => {
        setSought(events[0]);
        // Remove it from the address, so that choosing the same place again works.
        navigate(sessionPath(id), { replace: true });
      },
      // If the event cannot be loaded, show the end of the session as usual.
      () => {},
    );
    return () => leaving.abort();
  }, [id, at]);
  return sought;
}

/** A reader this close to the end follows new content. */
const nearPixels = 48;
/** A scroll within this time after an input is the person's; any other scroll comes from content that moved. */
const byHandMs = 400;
/** How long a search result stays highlighted. */
const markedMs = 2_500;

interface ConversationViewProps extends Pick<SessionView, "conversation" | "version"> {
  readonly sought?: ReinsEvent | undefined;
  /** Answers to slash commands. */
  readonly boxes?: readonly ShownBox[] | undefined;
}

const noBoxes: readonly ShownBox[] = [];

export function ConversationView({ conversation, version, sought, boxes = noBoxes }: ConversationViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<VListHandle>(null);
  const folding = useRef(new Rows());
  const expanded = useRef<ExpandedRows>(new Map());
  const rows = useMemo(() => {
    // The conversation is one mutable object; `version` tells when it changed.
    void version;
    return folding.current.of(conversation, boxes);
  }, [conversation, version, boxes]);
  const following = useRef(true);
  const touched = useRef(0);
  const seen = useRef({ size: 0, offset: 0 });
  const [away, setAway] = useState(false);

  /** Not `scrollToIndex`: the list keeps scrolling to the end after the person has scrolled away. */
  const toEnd = useCallback((): void => {
    const element = frame.current?.querySelector("[role=log]");
    if (element) element.scrollTop = element.scrollHeight;
  }, []);
  const onScroll = useCallback(
    (offset: number): void => {
      const handle = list.current;
      if (handle === null) return;
      const below = handle.scrollSize - offset - handle.viewportSize;
      const { size, offset: before } = seen.current;
      seen.current = { size: handle.scrollSize, offset };
      // Content that did not shrink never scrolls up by itself, so this is the person, even if the input event was long ago (a busy page).
      const upwards = offset < before - 1 && handle.scrollSize >= size;
      const byHand = upwards || Date.now() - touched.current < byHandMs;
      const atEnd = below <= nearPixels;
      if (atEnd || byHand) following.current = atEnd;
      setAway(!following.current);
      // Rows were just measured and differ from their estimated height.
      if (following.current && !byHand && below > 1) requestAnimationFrame(() => following.current && toEnd());
    },
    [toEnd],
  );
  const touch = (): void => {
    touched.current = Date.now();
  };
  /** The browser's own Home key stops early: rows above get their real height only while scrolling. */
  const toStart = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== "Home" || !(target instanceof HTMLElement) || target.role !== "log") return;
    event.preventDefault();
    following.current = false;
    target.scrollTop = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => (target.scrollTop = 0)));
  };
  const onResize = useCallback((): void => {
    if (following.current) toEnd();
  }, [toEnd]);
  useLayoutEffect(() => {
    void version;
    if (following.current) toEnd();
  }, [toEnd, version]);

  const lastBox = boxes.at(-1)?.id ?? 0;
  const seenBox = useRef(lastBox);
  useLayoutEffect(() => {
    // Scroll to the answer of a command that the person ran.
    if (lastBox > seenBox.current) following.current = true;
    seenBox.current = lastBox;
    if (following.current) toEnd();
  }, [toEnd, lastBox]);

  const [marked, setMarked] = useState<{ readonly key: string; readonly how: SearchMark }>();
  const seek = useEffectEvent((event: ReinsEvent): void => {
    const index = rowOf(rows, event);
    const row = rows[index];
    if (row === undefined) return;
    following.current = false;
    list.current?.scrollToIndex(index, { align: "center" });
    setMarked({ key: row.key, how: "now" });
  });
  useEffect(() => {
    if (sought === undefined) return undefined;
    seek(sought);
    const timer = setTimeout(() => setMarked((now) => now && { ...now, how: "before" }), markedMs);
    return () => clearTimeout(timer);
  }, [sought]);

  return (
    <ExpandedRowsContext value={expanded.current}>
      <WaitingContext value={conversation.waiting.length > 0}>
        <div
          ref={frame}
          className="conversation"
          onWheel={touch}
          onTouchMove={touch}
          onKeyDown={(event) => {
            touch();
            toStart(event);
          }}
          onPointerDown={touch}
          onPointerMove={(event) => event.buttons > 0 && touch()}
        >
          <VList
            ref={list}
            className="conversation-list"
            data={rows}
            bufferSize={600}
            onScroll={onScroll}
            onResize={onResize}
            role="log"
            aria-label="Conversation"
            aria-live="off"
            tabIndex={0}
          >
            {(row) => (
              <RowView
                key={row.key}
                row={row}
                stamp={stampOf(row)}
                sought={marked?.key === row.key ? marked.how : undefined}
              />
            )}
          </VList>
          {away && (
            <div className="to-end">
              <Button
                icon="down"
                size="small"
                onClick={() => {
                  following.current = true;
                  touched.current = 0;
                  setAway(false);
                  toEnd();
                }}
              >
                Jump to latest
              </Button>
            </div>
          )}
        </div>
      </WaitingContext>
    </ExpandedRowsContext>
  );
}
