import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { VList } from "virtua";
import type { VListHandle } from "virtua";
import type { SessionView } from "../state/open-session.ts";
import { Button } from "../ui/button.tsx";
import { OpennessContext } from "./openness.ts";
import type { Openness } from "./openness.ts";
import { RowView } from "./row-view.tsx";
import { Rows } from "./rows.ts";
import { stampOf } from "./stamp.ts";

/** So near to the end a reader wants to see what comes. */
const nearPixels = 48;

export function ConversationView({ conversation, version }: Pick<SessionView, "conversation" | "version">) {
  const list = useRef<VListHandle>(null);
  const folding = useRef(new Rows());
  const openness = useRef<Openness>(new Map());
  const rows = useMemo(() => {
    // The conversation is the same object and grows: the version says when.
    void version;
    return folding.current.of(conversation);
  }, [conversation, version]);
  const following = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback((): void => {
    const handle = list.current;
    if (handle !== null) handle.scrollToIndex(Number.MAX_SAFE_INTEGER, { align: "end" });
  }, []);
  const onScroll = useCallback((offset: number): void => {
    const handle = list.current;
    if (handle === null) return;
    following.current = offset + handle.viewportSize >= handle.scrollSize - nearPixels;
    setAway(!following.current);
  }, []);
  const onResize = useCallback((): void => {
    if (following.current) toEnd();
  }, [toEnd]);
  const last = rows.length - 1;
  useLayoutEffect(() => {
    if (following.current && last >= 0) list.current?.scrollToIndex(last, { align: "end" });
  }, [last, version]);

  return (
    <OpennessContext value={openness.current}>
      <div className="conversation">
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
          {(row) => <RowView key={row.key} row={row} stamp={stampOf(row)} />}
        </VList>
        {away && (
          <div className="to-end">
            <Button
              icon="down"
              size="small"
              onClick={() => {
                following.current = true;
                setAway(false);
                list.current?.scrollToIndex(last, { align: "end" });
              }}
            >
              To the end
            </Button>
          </div>
        )}
      </div>
    </OpennessContext>
  );
}
