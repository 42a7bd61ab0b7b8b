/** Small elements used on every screen. */
import {
  useId,
  useState,
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from "react";
import { sentenceOf } from "../state/server.ts";

/** Joins class names and skips those that are false or undefined. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== "").join(" ");
}

/** Handles Escape here and stops it: a handler above would cancel the turn. */
export function onEscape(run: (event: KeyboardEvent) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    run(event);
  };
}

/** Icons: strokes on a 16-pixel grid, in the colour of the text. */
const paths = {
  add: "M8 3v10M3 8h10",
  agent:
    "M4.5 6.5h7a1.5 1.5 0 0 1 1.5 1.5v3a2.5 2.5 0 0 1-2.5 2.5h-5A2.5 2.5 0 0 1 3 11V8a1.5 1.5 0 0 1 1.5-1.5ZM8 6.5V3.2M6.2 9.6v.8M9.8 9.6v.8",
  attach: "m12.5 7.2-4.9 4.9a3 3 0 0 1-4.2-4.2l5.2-5.2a2 2 0 0 1 2.8 2.8l-5.1 5.1a1 1 0 0 1-1.4-1.4l4.5-4.5",
  back: "M9.5 3.5 5 8l4.5 4.5",
  check: "m3.5 8.5 3 3 6-7",
  chevron: "m6 4 4 4-4 4",
  close: "m4 4 8 8M12 4l-8 8",
  cloud: "M5 12.5a3 3 0 0 1-.4-6 3.8 3.8 0 0 1 7.2 1A2.6 2.6 0 0 1 11.5 12.5Z",
  compare: "M3 3.5h4v9H3zM9 3.5h4v9H9z",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  down: "M8 3v10M4 9l4 4 4-4",
  edit: "m10.2 3.3 2.5 2.5-7 7L3 13l.2-2.7Z",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  folder: "M2.5 4.5v8h11v-7H8L6.5 4z",
  fork: "M5 3v4a2 2 0 0 0 2 2h2a2 2 0 0 1 2 2v2M5 9v4M11 3v3",
  globe:
    "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM2.5 8h11M8 2.5c3.6 3.6 3.6 7.4 0 11M8 2.5c-3.6 3.6-3.6 7.4 0 11",
  handoff: "M3 5h8.5M9 2.5 11.5 5 9 7.5M13 11H4.5M7 8.5 4.5 11 7 13.5",
  help: "M6 6.2a2 2 0 1 1 2.8 1.8c-.6.3-.8.7-.8 1.3M8 11.7h.01M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z",
  image: "M2.5 3.5h11v9h-11zM3 11l3-3 2.5 2.5L10.5 8.5 13 11M6 6.2h.01",
  info: "M8 7.5v3.5M8 5h.01M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z",
  key: "M9.8 8.7a3.2 3.2 0 1 0-2.5-2.5L2.5 11v2.5H5V12h1.5v-1.5H8ZM10.7 5.3h.01",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.7 4h.01M2.7 8h.01M2.7 12h.01",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  moon: "M13 9.6A5.5 5.5 0 1 1 6.4 3a4.5 4.5 0 0 0 6.6 6.6Z",
  panel: "M2.5 3.5h11v9h-11zM10 3.5v9",
  plan: "M3 4.3l1 1 1.5-1.8M3 9.3l1 1 1.5-1.8M8 4.5h5M8 9.5h5",
  plug: "M6 2.5v3M10 2.5v3M4.5 5.5h7V8a3.5 3.5 0 0 1-7 0ZM8 11.5v2",
  queue: "M3 4h10M3 8h6M3 12h6M11.5 8.5v4.5M9.5 11h4",
  refresh: "M13 8a5 5 0 1 1-1.5-3.5L13 6M13 3v3h-3",
  rule: "M8 2.5v11M4 4.5h8M4 4.5 2.3 9a1.8 1.8 0 0 0 3.4 0ZM12 4.5 10.3 9a1.8 1.8 0 0 0 3.4 0ZM5.5 13.5h5",
  search: "M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM10 10l3.5 3.5",
  send: "M8 13V3.5M4 7.3 8 3.3l4 4",
  settings: "M3 5h6M12 5h1M3 11h1M7 11h6M9 3.5h3v3H9zM4 9.5h3v3H4z",
  shell: "m3.5 4.5 3.5 3.5-3.5 3.5M8.5 12h4.5",
  shield: "M8 2.5 3.5 4v4c0 2.8 2 4.7 4.5 5.5 2.5-.8 4.5-2.7 4.5-5.5V4Z",
  spark: "M8 2.5 9.4 6.6 13.5 8 9.4 9.4 8 13.5 6.6 9.4 2.5 8l4.1-1.4Z",
  stop: "M4.5 4.5h7v7h-7z",
  sun: "M8 5.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  system: "M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3",
  think: "M5.6 11a4.3 4.3 0 1 1 4.8 0v1H5.6ZM6.5 14h3",
  tool: "m9.2 6.8-5.4 5.4a1.2 1.2 0 0 0 1.7 1.7l5.4-5.4a3.2 3.2 0 0 0 3.9-4.3L12.6 6 10.3 5.7 10 3.4l1.8-1.8a3.2 3.2 0 0 0-3.9 3.9c.1.5.5.9 1.3 1.3Z",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.3 4.5l.7 8.5h6l.7-8.5M6.8 7v3.5M9.2 7v3.5",
  usage: "M3 13V8.5M6.3 13V5M9.7 13V9.5M13 13V3",
  user: "M8 8.3a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM3 13.5c.5-2.5 2.5-3.7 5-3.7s4.5 1.2 5 3.7",
  wait: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 5v3.2l2 1.3",
  warn: "M8 3 2.5 12.7h11ZM8 6.8v2.7M8 11.2h.01",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} strokeWidth={name === "dots" ? 2.4 : undefined} />
    </svg>
  );
}

export function Spinner({ size = 14 }: { readonly size?: number }) {
  return (
    <svg className="spinner" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 6 6" />
    </svg>
  );
}

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

export function Badge({ tone = "neutral", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classes("badge", tone)}>{children}</span>;
}

/** A dot for a state. The state must also be in words, beside it or in `label`. */
export function Dot({
  tone = "neutral",
  pulse = false,
  label,
}: {
  readonly tone?: Tone;
  readonly pulse?: boolean;
  readonly label?: string;
}) {
  return (
    <span
      className={classes("dot", tone, pulse && "pulse")}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    />
  );
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  /** `plain` has a border, `quiet` has none. */
  readonly look?: "primary" | "plain" | "quiet" | "danger" | undefined;
  readonly size?: "small" | "normal" | undefined;
  readonly icon?: IconName | undefined;
  /** True while the action runs. */
  readonly busy?: boolean | undefined;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

export function Button({
  look = "plain",
  size = "normal",
  icon,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes("button", look, size, className)}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
    >
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  readonly icon: IconName;
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly tipAt?: "above" | "below" | "below-end" | "above-end" | undefined;
}

export function IconButton({ icon, label, tipAt = "below", look = "quiet", className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      look={look}
      icon={icon}
      aria-label={label}
      data-tip={label}
      data-tip-at={tipAt}
      className={classes("icon-button", className)}
    />
  );
}

const names: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Enter: "↵",
};
const onMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Shows `Mod+k` with the key names of the person's system. */
export function Kbd({ keys }: { readonly keys: string }) {
  const parts = keys.split(/[+ ]/).map((key) => (key === "Mod" ? (onMac ? "⌘" : "Ctrl") : (names[key] ?? key)));
  return (
    <span className="keys">
      {parts.map((key, index) => (
        <kbd key={index}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
      ))}
    </span>
  );
}

interface EmptyProps {
  readonly icon?: IconName | undefined;
  readonly title: string;
  /** Explains what would be here and how to get it. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      {icon !== undefined && <Icon name={icon} size={28} />}
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-words">{children}</div>}
      {actions !== undefined && <div className="empty-actions">{actions}</div>}
    </div>
  );
}

interface DisclosureProps {
  readonly summary: ReactNode;
  /** Rendered only when open. */
  readonly children: () => ReactNode;
  readonly className?: string | undefined;
  readonly initiallyOpen?: boolean | undefined;
  /** Set by a parent that remembers the state: a row that scrolls out of sight is unmounted. */
  readonly open?: boolean | undefined;
  readonly onToggle?: ((open: boolean) => void) | undefined;
}

export function Disclosure({ summary, children, className, initiallyOpen = false, open, onToggle }: DisclosureProps) {
  const [own, setOwn] = useState(initiallyOpen);
  const shown = open ?? own;
  const id = useId();
  return (
    <div className={classes("disclosure", shown && "open", className)}>
      <button
        type="button"
        className="disclosure-button"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => {
          setOwn(!shown);
          onToggle?.(!shown);
        }}
      >
        <span className="disclosure-arrow">
          <Icon name="chevron" size={12} />
        </span>
        {summary}
      </button>
      {shown && (
        <div id={id} className="disclosure-body">
          {children()}
        </div>
      )}
    </div>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">;

interface FieldProps extends InputProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly "data-focus"?: boolean;
  /** Set for a multi-line field. */
  readonly rows?: number | undefined;
}

export function Field({ label, error, value, onChange, rows, required, dir, ...rest }: FieldProps) {
  const id = useId();
  const described = error === undefined ? undefined : `${id}-more`;
  const control = {
    id,
    value,
    required,
    dir,
    "aria-describedby": described,
    "aria-invalid": error === undefined ? undefined : true,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? <input type="text" {...rest} {...control} /> : <textarea {...control} rows={rows} />}
      {error !== undefined && (
        <p id={described} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

interface TableProps {
  readonly label: string;
  /** Headings; those of numeric columns begin with `#`. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
  /** On a narrow screen each row is a card. */
  readonly stacks?: boolean | undefined;
}

export function Table({ label, columns, rows, stacks = false }: TableProps) {
  const kind = (column: string | undefined): string | undefined => (column?.startsWith("#") ? "number" : undefined);
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={`${label}, table`}>
      <table className={classes("table", stacks && "stacks")}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={kind(column)}>
                {column.replace("#", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td
                  key={columns[at]}
                  className={kind(columns[at])}
                  data-label={kind(columns[at]) && columns[at]?.replace("#", "")}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FactsProps {
  readonly className: string;
  /** Facts without a value are left out. */
  readonly facts: readonly (readonly [string, ReactNode])[];
}

export function Facts({ className, facts }: FactsProps) {
  const known = facts.filter(([, value]) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <dl className={className}>
      {known.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PendingProps {
  readonly value?: unknown;
  readonly error?: unknown;
  readonly words?: string;
}

/** Shown while an answer of the server is missing: loading, or the error. */
export function Pending({ value, error, words }: PendingProps) {
  if (error !== undefined) return <p role="alert">{sentenceOf(error)}</p>;
  if (value !== undefined || words === undefined) return null;
  return (
    <p className="page-busy">
      <Spinner /> {words}
    </p>
  );
}
