import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { classes, Icon, type IconName } from "./basics.tsx";
import { Popup, step, usePopup } from "./popup.tsx";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A second line. */
  readonly detail?: string | undefined;
  /** Shown beside the label: a dot or a badge. */
  readonly mark?: ReactNode;
  readonly disabled?: boolean | undefined;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly look?: "plain" | "quiet" | undefined;
  /** True when the chosen option needs attention. */
  readonly warns?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly align?: "start" | "end" | undefined;
  /** Shown below the options. */
  readonly footer?: ReactNode;
}

/** Up to this many options there is no filter field. */
const withoutFilter = 9;

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, placeholder = "Choose", icon, look = "plain", disabled = false } = props;
  const { trigger, popup } = usePopup("listbox", props.align);
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <button
        {...trigger}
        type="button"
        className={classes("select", look, props.warns === true && "warns")}
        disabled={disabled}
        aria-label={`${label}: ${chosen?.label ?? value ?? placeholder}`}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span className="select-value">{chosen?.label ?? value ?? placeholder}</span>
        <span className="select-arrow">
          <Icon name="chevron" size={12} />
        </span>
      </button>
      {popup((id, onDone) => (
        <Options {...props} id={id} onDone={onDone} />
      ))}
    </>
  );
}

function Options<Value extends string>({
  id,
  label,
  value,
  options,
  onChange,
  footer,
  onDone,
}: SelectProps<Value> & { readonly id: string; readonly onDone: () => void }) {
  const [words, setWords] = useState("");
  const filtered = options.filter((option) => fits(option, words));
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
  );
  const list = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const many = options.length > withoutFilter;
  const optionId = (index: number): string => `${id}-${index}`;
  // Run again when a filter appears because many options arrive while the list is open: the arrow keys work only from the filter field.
  useEffect(() => {
    (filter.current ?? list.current)?.focus();
  }, [many]);
  useScrolledTo(`${id}-${at}`);

  const choose = (option: SelectOption<Value> | undefined): void => {
    if (option === undefined || option.disabled === true) return;
    onDone();
    onChange(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || (event.key === " " && !many)) {
      event.preventDefault();
      choose(filtered[at]);
      return;
    }
    if (many && (event.key.length === 1 || event.key === "Home" || event.key === "End")) return;
    step(event, at, filtered, setAt);
  };
  const active = filtered.length === 0 ? undefined : optionId(at);
  return (
    <div className="options" onKeyDown={onKeyDown}>
      {many && (
        <input
          ref={filter}
          className="options-filter"
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active}
          aria-label={`${label}: type to filter`}
          placeholder="Type to filter"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
        />
      )}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        className="options-list"
        tabIndex={many ? -1 : 0}
        aria-activedescendant={many ? undefined : active}
      >
        {filtered.map((option, index) => (
          <div
            key={option.value}
            id={optionId(index)}
            role="option"
            aria-selected={option.value === value}
            aria-disabled={option.disabled === true || undefined}
            className={classes("option", index === at && "active")}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(option)}
          >
            <span className="option-check">{option.value === value && <Icon name="check" size={14} />}</span>
            <span className="option-words">
              <span className="option-label">
                <bdi>{option.label}</bdi>
                {option.mark}
              </span>
              {option.detail !== undefined && <small>{option.detail}</small>}
            </span>
          </div>
        ))}
        {filtered.length === 0 && <p className="options-none">No matches.</p>}
      </div>
      {footer !== undefined && <div className="options-footer">{footer}</div>}
    </div>
  );
}

function fits<Value extends string>({ label, value, detail = "" }: SelectOption<Value>, words: string): boolean {
  const text = `${label} ${value} ${detail}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface SuggestionsProps<Option> {
  readonly id: string;
  readonly label: string;
  readonly className: string;
  /** The field that the options belong to: it keeps the focus and handles the keys. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly options: readonly Option[];
  readonly at: number;
  readonly isSelected: (option: Option, index: number) => boolean;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (option: Option) => void;
  readonly onClose: () => void;
  readonly children: (option: Option) => ReactNode;
}

export function Suggestions<Option>(props: SuggestionsProps<Option>) {
  const { id, options, at } = props;
  useScrolledTo(`${id}-${at}`);
  return (
    <Popup anchor={props.anchor} onClose={props.onClose}>
      <div id={id} role="listbox" aria-label={props.label} className={`options-list ${props.className}`}>
        {options.map((option, index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={props.isSelected(option, index)}
            className={classes("option", index === at && "active")}
            onPointerMove={() => props.onPoint(index)}
            onPointerDown={(event) => {
              event.preventDefault();
              props.onChoose(option);
            }}
          >
            {props.children(option)}
          </div>
        ))}
      </div>
    </Popup>
  );
}

function useScrolledTo(id: string): void {
  useEffect(() => {
    // Newer browsers return a promise here, which React would take for a cleanup.
    document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
}
