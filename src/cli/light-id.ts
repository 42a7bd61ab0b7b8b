/**
 * An id like that of `crypto.randomUUID`, which takes longer to load than a short command does. Each process begins at a place of its own,
 * chosen by the system; it is a name and no secret.
 */
export function lightId(): string {
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function hex(digits: number): string {
  return Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, "0");
}
