import type { SessionOptions } from "../core/api.ts";
import type { Mode } from "../events/modes.ts";
import { withReins } from "./asking.ts";
import { attachments } from "./attachments.ts";
import { cloudAgent } from "./cloud-agent.ts";
import { followed, leftWords } from "./cloud-follow.ts";
import { EventShow } from "./cloud-show.ts";
import { untilEnding } from "./ending.ts";
import { type Exit, exitOfTurn } from "./exit-codes.ts";
import { readPrompt } from "./prompt.ts";

export interface CloudRunCommand {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly repo?: string;
  readonly ref?: string;
  readonly branch?: string;
  readonly pullRequest?: string;
  readonly pr?: boolean;
  readonly name?: string;
  readonly cwd?: string;
  readonly image?: readonly string[];
  readonly file?: readonly string[];
  readonly allowUnenforced?: boolean;
  readonly detach?: boolean;
  readonly json?: boolean;
}

/** `reins cloud run`: an agent is begun there; it goes on when this command ends. */
export async function cloudRun(words: readonly string[], options: CloudRunCommand, ending: AbortSignal): Promise<Exit> {
  using view = new EventShow(options.json === true);
  const say = (line: string): void => view.screen.line(line);
  const text = await untilEnding(ending, readPrompt(words, { stdin: process.stdin, say }));
  const prompt = { text, attachments: attachments(options) };
  return await withReins(async (reins) => {
    view.screen.status("Starting");
    const { agent, cloud } = await untilEnding(ending, cloudAgent(reins, options.agent));
    const session = await untilEnding(ending, reins.session(sessionOptions(agent, options)));
    const refused = new AbortController();
    session.prompt(prompt).result.catch((thrown: unknown) => refused.abort(thrown));
    const leaves = AbortSignal.any([ending, refused.signal]);
    // It is there as soon as its state is known.
    const end = await followed(
      session,
      view,
      leaves,
      ({ type }) => options.detach === true && type === "session.updated",
    );
    refused.signal.throwIfAborted();
    await view.failed(end?.error);
    if (end !== undefined) return exitOfTurn(end);
    if (session.state !== undefined) view.screen.line(leftWords(await cloud.idOf(session.state)), "dim");
    return "done";
  });
}

function sessionOptions(agent: string, options: CloudRunCommand): SessionOptions {
  const { model, mode = "full", cwd, allowUnenforced, repo, ref, branch, pullRequest, pr, name } = options;
  const remote = { repository: repo, ref, branch, pullRequest, createPr: pr, name };
  return { agent, model, mode, cwd, allowUnenforced, remote };
}
