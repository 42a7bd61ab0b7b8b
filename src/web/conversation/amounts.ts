/** Figures as people read them at a glance. */
export function tokens(amount: number): string {
  if (amount < 1_000) return String(amount);
  if (amount < 999_500) return `${(amount / 1_000).toFixed(amount < 9_950 ? 1 : 0)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

/** `2:05`, or `1 h 10 min`: what is left until then. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
