import { firstSteps } from "../../view/first-steps.ts";
import { Button } from "../ui/basics.tsx";

/** The steps that every first screen of Reins offers, as buttons that run their slash command. */
export function FirstSteps({ onChoose }: { readonly onChoose: (command: string) => void }) {
  return (
    <ul className="first-steps" aria-label="First steps">
      {firstSteps.map(({ title, command }) => (
        <li key={command}>
          <Button look="quiet" size="small" onClick={() => onChoose(command)}>
            {title} <code>{command}</code>
          </Button>
        </li>
      ))}
    </ul>
  );
}
