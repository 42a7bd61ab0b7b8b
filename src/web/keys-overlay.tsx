import { answerKeys } from "../view/answer-keys.ts";
import { bound, useShortcut, type Shortcut } from "./keyboard.ts";
import { createStore, useStore } from "./state/store.ts";
import { Kbd } from "./ui/basics.tsx";
import { Dialog } from "./ui/dialog.tsx";
import "./keys-overlay.css";

export const keysOpen = createStore(false);

/** Shortcuts that components handle themselves and that never change. */
const fixed: readonly Shortcut[] = [
  { keys: "Tab", label: "Next element", group: "Lists and dialogs" },
  { keys: "ArrowDown", label: "Next row of a list or menu", group: "Lists and dialogs" },
  { keys: "Enter", label: "Open or run", group: "Lists and dialogs" },
  { keys: "Escape", label: "Close", group: "Lists and dialogs" },
];

const anywhere = "Anywhere";

/** The same labels as on the buttons of a request and in the terminal. */
const answers: readonly Shortcut[] = answerKeys.map(({ key, label }) => ({
  keys: key,
  label,
  group: "When a request is waiting",
}));

/** `?` shows the shortcuts that work on the current screen. */
export function KeysOverlay() {
  const open = useStore(keysOpen);
  useShortcut({ keys: "?", label: "Keyboard shortcuts", group: anywhere }, () => keysOpen.set(true));
  return open && <Overview onClose={() => keysOpen.set(false)} />;
}

function Overview({ onClose }: { readonly onClose: () => void }) {
  const groups = Map.groupBy([...useStore(bound), ...answers, ...fixed], ({ group }) => group ?? anywhere);
  const sorted = [...groups].sort(([a], [b]) => Number(b === anywhere) - Number(a === anywhere));
  return (
    <Dialog title="Keyboard shortcuts" wide onClose={onClose}>
      <p className="quiet-words">
        Single letters work while you are not typing. Answer keys work while the prompt is empty, and always with{" "}
        <Kbd keys="Alt" />. A prompt that begins with <kbd>/</kbd> is a command: <kbd>/help</kbd> lists them.
      </p>
      {/* Focusable, because it scrolls: on a phone it is taller than the screen. */}
      <div className="key-groups" role="group" aria-label="All shortcuts" tabIndex={0}>
        {sorted.map(([group, shortcuts]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {[...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values()].map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
