import { useId } from "react";
import type { ReactNode } from "react";

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  /** The control: give it these. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": true | undefined;
  }) => ReactNode;
}

export function Field({ label, help, error, children }: FieldProps) {
  const id = useId();
  const described = error !== undefined || help !== undefined ? `${id}-more` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": described, "aria-invalid": error === undefined ? undefined : true })}
      {described !== undefined && (
        <p id={described} className={error === undefined ? "field-help" : "field-error"}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}
