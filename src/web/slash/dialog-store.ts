/** The dialog that a slash command or a menu opened. The shell shows it on every page. */
import { createStore } from "../state/store.ts";

export type SlashDialog =
  | { readonly kind: "mcp"; readonly agent: string; readonly cwd: string | undefined }
  /** Asks for the value of a variable without echo. */
  | {
      readonly kind: "token";
      readonly agent: string;
      readonly variable: string;
      readonly onToken: (value: string) => void;
    }
  | { readonly kind: "handoff"; readonly session: string };

export const slashDialog = createStore<SlashDialog | undefined>(undefined);
