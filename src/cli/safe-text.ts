import { printable } from "../events/printable.ts";

/** Text from agents as this stream may have it: without anything a terminal would obey, and into a pipe or file as it is. */
export function safeFor(stream: NodeJS.WriteStream): (text: string) => string {
  return stream.isTTY ? printable : (text) => text;
}
