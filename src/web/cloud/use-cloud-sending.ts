/** Sending a prompt to a cloud agent: who takes it, where it works, and the session that begins with it. */
import { useState } from "react";
import { cloudSession } from "../../commands/cloud.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import type { CloudTargetAnswer } from "../../server/schemas/cloud.ts";
import type { PromptBody } from "../../server/schemas/common.ts";
import type { CreatedSession } from "../../server/schemas/sessions.ts";
import type { CloudTarget } from "../../view/cloud.ts";
import { useAgents } from "../state/agents.ts";
import { useTyped } from "../state/remote.ts";
import { call } from "../state/server.ts";
import { knowSession } from "../state/sessions.ts";

export interface CloudSending {
  /** The agent that takes the prompt; undefined where none is ready. */
  readonly agent: AgentAnswer | undefined;
  /** One sentence about what to do where none is ready. */
  readonly problem: string | undefined;
  readonly target: CloudTarget;
  /** It was chosen for this folder before, and nothing was changed since. */
  readonly isRemembered: boolean;
  readonly note: string | undefined;
  readonly change: (change: CloudTarget) => void;
  /** Remembers the target, and begins the session. */
  readonly begin: (prompt: PromptBody, key: string, model?: string) => Promise<CreatedSession>;
}

const lookFirst = "Look where the cloud agent will work, then send it again.";

export function isCloudAgent(agent: AgentAnswer | undefined): boolean {
  return agent?.capabilities.elsewhere === true;
}

/** `cwd` is undefined while no prompt for the cloud is written: then nothing is asked. */
export function useCloudSending(cwd: string | undefined, chosen?: AgentAnswer): CloudSending {
  const { agents } = useAgents();
  const asked = cwd === undefined ? undefined : `/api/cloud-target?${new URLSearchParams({ cwd }).toString()}`;
  const { value, asking } = useTyped<CloudTargetAnswer>(asked, 150);
  /** Only the fields that were changed: what git suggests may come after the first key. */
  const [edited, setEdited] = useState<{ readonly cwd: string; readonly target: CloudTarget }>();
  const changed = edited !== undefined && edited.cwd === cwd ? edited.target : undefined;
  const all = agents.filter(isCloudAgent);
  const agent = isCloudAgent(chosen) ? chosen : all.find(({ ready }) => ready);
  const target = { ...(value?.remembered ?? value?.suggested), ...changed };
  return {
    agent: agent?.ready === true ? agent : undefined,
    problem: agent?.ready === true ? undefined : problemOf(all[0]),
    target,
    isRemembered: changed === undefined && value?.remembered?.repository !== undefined,
    note: value?.note,
    change: (change) => cwd !== undefined && setEdited({ cwd, target: { ...changed, ...change } }),
    async begin(prompt, key, model) {
      if (agent?.ready !== true) throw new ReinsError("not_authenticated", problemOf(all[0]));
      const known =
        asked === undefined || (value !== undefined && !asking) ? value : await call<CloudTargetAnswer>("GET", asked);
      // Nobody has seen the fields yet, so nobody has agreed to what is in them.
      if (known !== value && changed === undefined && known?.remembered === undefined)
        throw new ReinsError("invalid_input", lookFirst);
      const wanted = cleaned({ ...(known?.remembered ?? known?.suggested), ...changed });
      const options = cloudSession(agent.id, wanted);
      if (changed !== undefined || known?.remembered === undefined)
        await call("POST", "/api/cloud-target", { cwd, target: wanted });
      const body = { ...options, cwd, model, prompt };
      const { turn: _turn, ...session } = await call<CreatedSession>("POST", "/api/sessions", body, { key });
      knowSession(session);
      return session;
    },
  };
}

function problemOf(agent: AgentAnswer | undefined): string {
  if (agent === undefined) return "No agent of this server works in the cloud.";
  const help = agent.help?.replaceAll("`", "") ?? "";
  return `${agent.name} is not ready. ${help}`.trim();
}

/** Empty fields are left to the service. */
function cleaned({ repository, ref, branch, createPr }: CloudTarget): CloudTarget {
  const given = (text: string | undefined): string | undefined => text?.trim() || undefined;
  return { repository: given(repository), ref: given(ref), branch: given(branch), createPr };
}
