import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { classes } from "./classes.ts";
import { place } from "./place.ts";
import type { Placed } from "./place.ts";

interface PopupProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly align?: "start" | "end" | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** In the browser's top layer, so that nothing cuts it off; it is there while it is rendered. */
export function Popup({ anchor, onClose, align = "start", className, children }: PopupProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [placed, setPlaced] = useState<Placed>();

  useLayoutEffect(() => {
    const popup = ref.current;
    if (popup === null || anchor.current === null) return undefined;
    popup.showPopover();
    // Once it is held to a height it does not tell its own any more.
    let tallest = 0;
    const put = (): void => {
      if (anchor.current === null) return;
      const width = popup.offsetWidth;
      tallest = Math.max(tallest, popup.scrollHeight + 2);
      const screen = { width: window.innerWidth, height: window.innerHeight };
      setPlaced(place(anchor.current.getBoundingClientRect(), { width, height: tallest }, screen, align));
    };
    put();
    const observer = new ResizeObserver(put);
    observer.observe(popup);
    window.addEventListener("resize", put);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", put);
    };
  }, [anchor, align]);

  const leave = useEffectEvent((event: Event) => {
    const target = event.target as Node;
    if (ref.current?.contains(target) !== true && anchor.current?.contains(target) !== true) onClose();
  });
  useEffect(() => {
    const listener = (event: Event): void => leave(event);
    document.addEventListener("pointerdown", listener, true);
    document.addEventListener("focusin", listener);
    return () => {
      document.removeEventListener("pointerdown", listener, true);
      document.removeEventListener("focusin", listener);
    };
  }, []);

  return (
    <div
      ref={ref}
      popover="manual"
      className={classes("popup", className)}
      style={placed === undefined ? { opacity: 0 } : { ...placed }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        anchor.current?.focus();
        onClose();
      }}
    >
      {children}
    </div>
  );
}
