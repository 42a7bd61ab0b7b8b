import { keysOpen } from "../keys/keys-open.ts";
import { places } from "../routes.tsx";
import { useRoute } from "../state/route.ts";
import { Icon } from "../ui/icon.tsx";

/** The places of the page besides its conversations. */
export function Places({ onLeave }: { readonly onLeave: () => void }) {
  const { parts } = useRoute();
  return (
    <nav aria-label="Places" className="places">
      {places
        .filter(({ hidden }) => hidden !== true)
        .map(({ path, label, icon }) => (
          <a key={path} href={`#/${path}`} aria-current={parts[0] === path ? "page" : undefined} onClick={onLeave}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
      <button
        type="button"
        onClick={() => {
          onLeave();
          keysOpen.set(true);
        }}
      >
        <Icon name="help" />
        Keys
      </button>
    </nav>
  );
}
