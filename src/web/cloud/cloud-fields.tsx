import { useId, useState } from "react";
import { targetWords } from "../../view/cloud.ts";
import { sentenceOf } from "../state/server.ts";
import { Button, Field, Icon } from "../ui/basics.tsx";
import { matchingRepositories, repositoriesOf } from "./repositories.ts";
import type { CloudSending } from "./use-cloud-sending.ts";
import "./cloud.css";

/** The target repository of a prompt for a cloud agent: one line for a remembered target, else the fields. */
export function CloudFields({ sending }: { readonly sending: CloudSending }) {
  const { agent, problem, target, isRemembered, note } = sending;
  const [open, setOpen] = useState(false);
  if (agent === undefined)
    return (
      <p className="cloud-line" role="note">
        <Icon name="cloud" size={14} /> {problem}
      </p>
    );
  if (isRemembered && !open)
    return (
      <p className="cloud-line">
        <Icon name="cloud" size={14} />
        <span>
          {agent.name} on <bdi>{targetWords(target)}</bdi>
        </span>
        <Button look="quiet" size="small" onClick={() => setOpen(true)}>
          Change
        </Button>
      </p>
    );
  return <TargetFields sending={sending} agent={agent.id} note={note} />;
}

interface TargetFieldsProps {
  readonly sending: CloudSending;
  readonly agent: string;
  readonly note: string | undefined;
}

function TargetFields({ sending: { target, change }, agent, note }: TargetFieldsProps) {
  const id = useId();
  const [repositories, setRepositories] = useState<readonly string[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const ask = (): void =>
    void repositoriesOf(agent).then(setRepositories, (thrown: unknown) => setTrouble(sentenceOf(thrown)));
  return (
    <fieldset className="cloud-fields">
      <legend>
        <Icon name="cloud" size={14} /> Cloud agent
      </legend>
      <Field
        label="Repository"
        value={target.repository ?? ""}
        placeholder="https://github.com/team/project"
        list={`${id}-repositories`}
        spellCheck={false}
        autoComplete="off"
        onFocus={ask}
        onChange={(repository) => change({ repository })}
      />
      <datalist id={`${id}-repositories`}>
        {matchingRepositories(repositories, target.repository ?? "").map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <Field
        label="Start from"
        value={target.ref ?? ""}
        placeholder="the default branch"
        spellCheck={false}
        onChange={(ref) => change({ ref })}
      />
      <Field
        label="Push to"
        value={target.branch ?? ""}
        placeholder="chosen by the service"
        spellCheck={false}
        onChange={(branch) => change({ branch })}
      />
      <label className="cloud-pull-request">
        <input
          type="checkbox"
          checked={target.createPr === true}
          onChange={(event) => change({ createPr: event.target.checked })}
        />
        Open a pull request when done
      </label>
      {[note, trouble]
        .filter((words) => words !== undefined)
        .map((words) => (
          <p key={words} className="quiet-words" dir="auto">
            {words}
          </p>
        ))}
      <p className="quiet-words">Saved for this folder. A cloud agent sees only pushed commits.</p>
    </fieldset>
  );
}
