/** The colour of an agent file as it is drawn. Its file has a name of these, or six digits. */
const colours: Readonly<Record<string, string>> = {
  ...{ red: "#FF4444", green: "#00CC66", yellow: "#FFCC00", blue: "#4488FF" },
  ...{ magenta: "#D946EF", cyan: "#00CCCC", gray: "#888888" },
};

/** `#RRGGBB`; grey for a word that is no colour. */
export function agentColour(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : (colours[color.toLowerCase()] ?? "#888888");
}
