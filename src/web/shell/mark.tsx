/** The mark of Reins. */
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M9 24V8h8.2a5 5 0 0 1 1.5 9.8L23 24M9 16h7" />
    </svg>
  );
}
