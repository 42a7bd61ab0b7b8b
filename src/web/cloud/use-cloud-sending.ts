/** Sends a prompt to a cloud agent: picks the agent and the target, and creates the session. */
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
  /** The agent that takes the prompt; undefined when none is ready. */
  readonly agent: AgentAnswer | undefined;
  /** The next step when no agent is ready, in one sentence. */
  readonly problem: string | undefined;
  readonly target: CloudTarget;
  /** True when the target was chosen for this folder before and not edited since. */
  readonly isRemembered: boolean;
  readonly note: string | undefined;
  readonly change: (change: CloudTarget) => void;
  /** Saves the target and creates the session. */
  readonly begin: (prompt: PromptBody, key: string, model?: string) => Promise<CreatedSession>;
}

const lookFirst = "Check the repository of the cloud agent, then send the prompt again.";

export function isCloudAgent(agent: AgentAnswer | undefined): boolean {
  return agent?.capabilities.elsewhere === true;
}

/** `cwd` is undefined while the prompt is not for the cloud; nothing is requested then. */
export function useCloudSending(cwd: string | undefined, chosen?: AgentAnswer): CloudSending {
  const { agents } = useAgents();
  const asked = cwd === undefined ? undefined : `/api/cloud-target?${new URLSearchParams({ cwd }).toString()}`;
  const { value, asking } = useTyped<CloudTargetAnswer>(asked, 150);
  /** Only the edited fields: git's suggestion may arrive after the first keystroke. */
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
      // The person has not seen the suggested target yet, so has not agreed to it.
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
  if (agent === undefined) return "This server has no cloud agent.";
  const help = agent.help?.replaceAll("`", "") ?? "";
  return `${agent.name} is not ready. ${help}`.trim();
}

/** Drops empty fields: the service decides about them. */
function cleaned({ repository, ref, branch, createPr }: CloudTarget): CloudTarget {
  const given = (text: string | undefined): string | undefined => text?.trim() || undefined;
  return { repository: given(repository), ref: given(ref), branch: given(branch), createPr };
}
