import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import { classes } from "./classes.ts";
import { Popup } from "./popup.tsx";
import { stepOf } from "./steps.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly onSelect: () => void;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** Why it is disabled, or what else is to be known. */
  readonly hint?: string | undefined;
  /** A line above it. */
  readonly apart?: boolean | undefined;
}

export interface MenuTrigger {
  readonly ref: React.RefObject<HTMLButtonElement | null>;
  readonly "aria-haspopup": "menu";
  readonly "aria-expanded": boolean;
  readonly "aria-controls": string | undefined;
  readonly onClick: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly align?: "start" | "end" | undefined;
  /** The button it belongs to: spread these over it. */
  readonly children: (trigger: MenuTrigger) => ReactNode;
}

export function Menu({ label, items, align = "end", children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  const trigger: MenuTrigger = {
    ref: anchor,
    "aria-haspopup": "menu",
    "aria-expanded": open,
    "aria-controls": open ? id : undefined,
    onClick: () => setOpen(!open),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setOpen(true);
    },
  };
  return (
    <>
      {children(trigger)}
      {open && (
        <Popup anchor={anchor} align={align} onClose={() => setOpen(false)}>
          <Items
            id={id}
            label={label}
            items={items}
            onDone={() => {
              setOpen(false);
              anchor.current?.focus();
            }}
          />
        </Popup>
      )}
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
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = stepOf(
      event.key,
      at,
      items.map((item) => item.label),
    );
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
  };
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
