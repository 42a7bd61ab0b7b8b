import type { FormHTMLAttributes } from "react";

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  readonly onSubmit: () => void;
}

/** A form that the page submits itself. */
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

/** Shows an error, if there is one. */
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
