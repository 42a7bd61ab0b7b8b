/** stub */
export function safeFor(stream: NodeJS.WriteStream): (text: string) => string {
  return stream.isTTY ? (text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "\ufffd") : (text) => text;
}
