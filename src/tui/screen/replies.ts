/** `#rrggbb` from the reply to OSC 11, such as `rgb:1e1e/2020/3030` or `rgba:...`; undefined for any other sequence. */
export function backgroundOf(reply: string): string | undefined {
  const parts = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(reply);
  if (!parts) return undefined;
  const channel = (digits = "0"): string => {
    const share = Number.parseInt(digits, 16) / (16 ** digits.length - 1);
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(parts[1])}${channel(parts[2])}${channel(parts[3])}`;
}
