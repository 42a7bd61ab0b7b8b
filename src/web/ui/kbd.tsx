const names: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Enter: "↵",
};
const onMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** `Mod+k` as the keys that a person sees. */
export function Kbd({ keys }: { readonly keys: string }) {
  const parts = keys.split("+").map((key) => (key === "Mod" ? (onMac ? "⌘" : "Ctrl") : (names[key] ?? key)));
  return (
    <span className="keys">
      {parts.map((key) => (
        <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
      ))}
    </span>
  );
}
