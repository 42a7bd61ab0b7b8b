/** The `reins` command in a terminal for one test: killed afterwards, and no process may be left. */
import { onTestFinished } from "vitest";
import { Place } from "../../support/command.ts";
import { until } from "../../support/processes.ts";
import type { Pty, PtyOptions } from "../../support/pty.ts";
import { openTerminal } from "../../support/terminal.ts";
import { running } from "../../real/support/left.ts";

/** Keys as a terminal sends them. Esc uses kitty's form: the interface has to wait after the old form, because it may begin a sequence. */
export const keys = {
  enter: "\r",
  escape: "\x1b[27u",
  tab: "\t",
  shiftTab: "\x1b[Z",
  up: "\x1b[A",
  down: "\x1b[B",
  ctrl: (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96),
  paste: (text: string): string => `\x1b[200~${text}\x1b[201~`,
} as const;

export interface Interface extends Pty {
  /** Types a prompt, waits until it is in the editor and sends it. */
  send(prompt: string): Promise<void>;
  quit(): Promise<number>;
}

export interface InterfaceOptions extends PtyOptions {
  /** The place of an earlier part of the test, to return to it. */
  readonly place?: Place;
}

/** A folder and a home for one test. */
export function newPlace(): Place {
  const place = new Place();
  onTestFinished(async () => {
    await until(() => running(place.home).length === 0, `no process of ${place.home}`);
    place[Symbol.dispose]();
  });
  return place;
}

/** This PATH has git and no agent. */
export const bareEnv = { PATH: "/usr/bin:/bin" } as const;

/** Resolves when keys are read as keys: before that the terminal itself echoes them and turns Enter into a new line. */
export async function openInterface(
  args: readonly string[],
  options: InterfaceOptions = {},
): Promise<Interface & { readonly place: Place }> {
  const { place = newPlace(), ...rest } = options;
  const terminal = openTerminal(place, args, { ...rest, env: { ...bareEnv, ...rest.env } });
  onTestFinished(() => terminal[Symbol.asyncDispose]());
  await terminal.waitFor(() => terminal.output().includes("\x1b[?2004h"), "the interface");
  return { ...withHands(terminal), place };
}

/** Adds the actions of a person. */
export function withHands(terminal: Pty): Interface {
  return {
    ...terminal,

    async send(prompt) {
      const end = prompt.slice(-20);
      const before = terminal.screen().split(end).length;
      terminal.type(prompt);
      await terminal.waitFor((text) => text.split(end).length > before, `${end} in the prompt`);
      terminal.type(keys.enter);
    },
    async quit() {
      terminal.type(keys.ctrl("c") + keys.ctrl("c"));
      let over = false;
      void terminal.exited.then(() => (over = true));
      // A turn may still be ending although its last effect was seen: then the interface asks before it quits.
      await until(
        () => over || terminal.screen().includes("Quit and stop running sessions?"),
        "the end of the interface",
      );
      if (!over) terminal.type("y");
      return terminal.exited;
    },
  };
}

export async function lastSession(place: Place): Promise<string> {
  const { stdout } = await place.run(["sessions", "--json"]);
  return (JSON.parse(stdout.split("\n", 1)[0]!) as { readonly id: string }).id;
}
