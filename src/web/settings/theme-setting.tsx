import { setTheme, useTheme } from "../state/theme.ts";
import { Icon } from "../ui/icon.tsx";

const choices = [
  { theme: "system", label: "System", icon: "system" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
] as const;

export function ThemeSetting() {
  const current = useTheme();
  return (
    <div className="setting-row">
      <div>
        <h3>Colours</h3>
        <p className="quiet-words">Kept in this browser.</p>
      </div>
      <div role="group" aria-label="Colours" className="segments large">
        {choices.map(({ theme, label, icon }) => (
          <button key={theme} type="button" aria-pressed={theme === current} onClick={() => setTheme(theme)}>
            <Icon name={icon} size={14} />
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
