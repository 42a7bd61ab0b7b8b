import { Icon } from "../ui/icon.tsx";
import type { IconName } from "../ui/icon.tsx";

/** What the agent that is part of Reins understands: a way to see all of this without an account. */
const starters: readonly { readonly icon: IconName; readonly title: string; readonly prompt: string }[] = [
  { icon: "spark", title: "A short tour, with one small edit to approve", prompt: "Show me around" },
  {
    icon: "edit",
    title: "Write a file, then change it",
    prompt: "write notes.txt hello; edit notes.txt hello -> hello, world",
  },
  { icon: "shell", title: "Look at the folder and run a command", prompt: "list; run node --version" },
  { icon: "help", title: "Everything it can do", prompt: "help" },
];

export function Starters({ onChoose }: { readonly onChoose: (prompt: string) => void }) {
  return (
    <section className="starters" aria-label="To begin with">
      <p>The demo agent needs no account and no model. Try one of these:</p>
      <ul>
        {starters.map(({ icon, title, prompt }) => (
          <li key={prompt}>
            <button type="button" className="starter" onClick={() => onChoose(prompt)}>
              <Icon name={icon} />
              <span>
                {title}
                <code>{prompt}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
