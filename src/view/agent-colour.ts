/** Colour names that an agent file may use. The file may also have a six-digit hex colour. */
const colours: Readonly<Record<string, string>> = {
  ...{ red: "#FF4444", green: "#00CC66", yellow: "#FFCC00", blue: "#4488FF" },
  ...{ magenta: "#D946EF", cyan: "#00CCCC", gray: "#888888" },
};

/** Returns `#RRGGBB`, or grey for an unknown colour name. */
export function agentColour(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : (colours[color.toLowerCase()] ?? "#888888");
}
