import type { FormHTMLAttributes } from "react";

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  readonly onSubmit: () => void;
}

/** A form that the page handles itself. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** Why something did not work, where it did not. */
export function Trouble({
  text,
  className = "field-error",
}: {
  readonly text?: string | undefined;
  readonly className?: string;
}) {
  if (text === undefined) return null;
  return (
    <p className={className} role="alert">
      {text}
    </p>
  );
}
