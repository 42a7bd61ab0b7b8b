/** A call as the rules see it: its parts are decided on one by one, and the strictest word on any of them is the word on the call. */
import type { Tool } from "../../events/tools.ts";
import type { Asked } from "./pattern.ts";
import type { Word } from "./shell/types.ts";

export type Part =
  /** The call itself, where nothing more is known of it. */
  | { readonly kind: "call"; readonly what: string }
  | {
      readonly kind: "path";
      /** The tool that would do the same: of a redirection `read` or `write`. */
      readonly tool: Tool;
      /** Where it really lies. */
      readonly real: readonly Asked[];
      /** As it was written. */
      readonly written: readonly Asked[];
      /** It is only named among the arguments of a command, or only read from: nothing is allowed by it, and nothing needs to be. */
      readonly mention: boolean;
      readonly what: string;
    }
  | { readonly kind: "command"; readonly words: readonly Word[]; readonly mention: boolean; readonly what: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly what: string }
  | { readonly kind: "domain"; readonly host: string; readonly mention: boolean; readonly what: string };

export interface Subject {
  readonly tool: Tool;
  readonly parts: readonly Part[];
  /** More may happen than can be seen: nothing allows it. */
  readonly dynamic: boolean;
}
