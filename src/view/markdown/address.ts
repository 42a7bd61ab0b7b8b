import { printable } from "../../events/printable.ts";

/** Where a link may lead; undefined for everything else, such as `javascript:` and files. */
export function safeAddress(address: string): string | undefined {
  const plain = printable(address).trim();
  return plain.length <= 2048 && /^(?:https?:\/\/[^\s/]|mailto:[^\s])\S*$/i.test(plain) ? plain : undefined;
}
