/** What each step of the grammar does; one file a step. */
import type { Step } from "../grammar.ts";
import { promptHelp } from "../help.ts";
import type { Turn } from "../turn.ts";
import { ask } from "./ask.ts";
import { background } from "./background.ts";
import { big } from "./big.ts";
import { edit } from "./edit.ts";
import { fail } from "./fail.ts";
import { list } from "./list.ts";
import { plan } from "./plan.ts";
import { read } from "./read.ts";
import { run } from "./run.ts";
import { say, think } from "./say.ts";
import { sleep } from "./sleep.ts";
import { stream } from "./stream.ts";
import { subagent } from "./subagent.ts";
import { write } from "./write.ts";

export async function perform(turn: Turn, step: Step): Promise<void> {
  switch (step.do) {
    case "list":
      return list(turn);
    case "read":
      return read(turn, step);
    case "write":
      return write(turn, step);
    case "edit":
      return edit(turn, step);
    case "run":
      return run(turn, step);
    case "ask":
      return ask(turn, step.question);
    case "plan":
      return plan(turn);
    case "think":
      return think(turn, step.text);
    case "say":
      return say(turn, step.text);
    case "sleep":
      return sleep(turn, step.ms);
    case "stream":
      return stream(turn, step.count);
    case "big":
      return big(turn, step.bytes);
    case "subagent":
      return subagent(turn, step, perform);
    case "background":
      return background(turn, step.ms);
    case "fail":
      return fail(step.code);
    case "help":
      return say(turn, promptHelp);
    case "unknown":
      return say(turn, `I do not know the step “${step.text}”; say \`help\` for those I know.`);
  }
}
