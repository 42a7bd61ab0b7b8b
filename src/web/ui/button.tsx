import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  /** `plain` has an edge, `quiet` none. */
  readonly look?: "primary" | "plain" | "quiet" | "danger" | undefined;
  readonly size?: "small" | "normal" | undefined;
  readonly icon?: IconName | undefined;
  /** What it does is being done. */
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
  /** Said to those who do not see the picture, and shown to those who point at it. */
  readonly label: string;
  /** Where the label is shown. */
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
