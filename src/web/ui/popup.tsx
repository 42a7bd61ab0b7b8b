/** Popups in the browser's top layer, and menus in them. */
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { classes, Icon, onEscape, type IconName } from "./basics.tsx";

interface Placed {
  readonly left: number;
  readonly top?: number;
  readonly bottom?: number;
  readonly maxHeight: number;
  readonly maxWidth: number;
}

const gap = 4;
const edge = 8;

type Size = Pick<DOMRect, "width" | "height">;
type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** Places a popup below its anchor, or above it when there is more room, always inside the window. */
export function place(anchor: Box, size: Size, screen: Size, align: "start" | "end"): Placed {
  const below = screen.height - anchor.bottom - gap - edge;
  const above = anchor.top - gap - edge;
  const wanted = align === "start" ? anchor.left : anchor.right - size.width;
  const left = Math.max(edge, Math.min(wanted, screen.width - size.width - edge));
  const maxWidth = screen.width - 2 * edge;
  if (size.height <= below || below >= above) return { left, top: anchor.bottom + gap, maxHeight: below, maxWidth };
  return { left, bottom: screen.height - anchor.top + gap, maxHeight: above, maxWidth };
}

interface PopupProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly align?: "start" | "end" | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Popup({ anchor, onClose, align = "start", className, children }: PopupProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [placed, setPlaced] = useState<Placed>();

  useLayoutEffect(() => {
    const popup = ref.current;
    if (popup === null || anchor.current === null) return undefined;
    popup.showPopover();
    // Once its height is limited, the popup no longer reports its natural height.
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
      onKeyDown={onEscape((event) => {
        event.preventDefault();
        anchor.current?.focus();
        onClose();
      })}
    >
      {children}
    </div>
  );
}

/** A button that opens a popup: the props of the button, and the popup while it is open. */
export function usePopup(kind: "menu" | "listbox", align?: "start" | "end") {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  const onDone = (): void => {
    setOpen(false);
    anchor.current?.focus();
  };
  const trigger = {
    ref: anchor,
    "aria-haspopup": kind,
    "aria-expanded": open,
    "aria-controls": open ? id : undefined,
    onClick: () => setOpen(!open),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setOpen(true);
    },
  };
  const popup = (children: (id: string, onDone: () => void) => ReactNode): ReactNode =>
    open && (
      <Popup anchor={anchor} align={align} onClose={() => setOpen(false)}>
        {children(id, onDone)}
      </Popup>
    );
  return { trigger, popup };
}

/** The list index that a key leads to: arrows, Home and End, or the first letter of a label. */
export function stepOf(key: string, at: number, labels: readonly string[]): number | undefined {
  const { length } = labels;
  if (length === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % length;
    case "ArrowUp":
      return (at - 1 + length) % length;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const order = labels.map((_, offset) => (at + 1 + offset) % length);
      return order.find((index) => labels[index]?.toLowerCase().startsWith(key.toLowerCase()) === true);
    }
  }
}

type Labelled = readonly { readonly label: string }[];

/** Moves to the list item that a key leads to. */
export function step(event: KeyboardEvent, at: number, list: Labelled, setAt: (at: number) => void): void {
  const labels = list.map(({ label }) => label);
  const next = stepOf(event.key, at, labels);
  if (next === undefined) return;
  event.preventDefault();
  setAt(next);
}

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly onSelect: () => void;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** Why it is disabled, or another note. */
  readonly hint?: string | undefined;
  /** Draws a separator above. */
  readonly apart?: boolean | undefined;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly align?: "start" | "end" | undefined;
  /** The button of the menu: spread the trigger props over it. */
  readonly children: (trigger: ReturnType<typeof usePopup>["trigger"]) => ReactNode;
}

export function Menu({ label, items, align = "end", children }: MenuProps) {
  const { trigger, popup } = usePopup("menu", align);
  return (
    <>
      {children(trigger)}
      {popup((id, onDone) => (
        <Items id={id} label={label} items={items} onDone={onDone} />
      ))}
    </>
  );
}

function Items({
  id,
  label,
  items,
  onDone,
}: Pick<MenuProps, "label" | "items"> & { readonly id: string; readonly onDone: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  useEffect(() => {
    list.current?.querySelectorAll<HTMLElement>("[role=menuitem]")[at]?.focus();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent): void => step(event, at, items, setAt);
  return (
    <div ref={list} id={id} role="menu" aria-label={label} className="menu" onKeyDown={onKeyDown}>
      {items.map((item, index) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={index === at ? 0 : -1}
          aria-disabled={item.disabled === true || undefined}
          className={classes("menu-item", item.danger === true && "danger", item.apart === true && "apart")}
          onPointerMove={() => setAt(index)}
          onClick={() => {
            if (item.disabled === true) return;
            onDone();
            item.onSelect();
          }}
        >
          {item.icon === undefined ? <span className="no-icon" /> : <Icon name={item.icon} />}
          <span className="menu-words">
            <span>{item.label}</span>
            {item.hint !== undefined && <small>{item.hint}</small>}
          </span>
        </button>
      ))}
    </div>
  );
}
