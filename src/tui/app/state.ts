/** The state that is drawn. `App` changes it; `draw.ts` only reads it. */
import type { Capabilities } from "../../events/capabilities.ts";
import type { RepositoryStatus } from "../../view/repository.ts";
import type { UiSettings } from "../../view/ui-settings.ts";
import type { Highlighter } from "../../view/highlight/index.ts";
import type { Completion, EditorState } from "../editor/index.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import type { Overlay } from "./overlay.ts";
import type { QuestionForm } from "./question-form.ts";
import type { Sessions } from "./sessions.ts";
import type { StatusFacts } from "./status-bar.ts";

export interface Search {
  readonly editor: EditorState;
  /** Ids of the blocks with a match. */
  readonly found: readonly string[];
  readonly at: number;
}

export interface AppState {
  readonly sessions: Sessions;
  readonly theme: Theme;
  readonly screen: UiSettings["screen"];
  /** True when the terminal draws images. */
  readonly images: { readonly isOn: boolean };
  readonly showSidebar: boolean;
  readonly home: string | undefined;
  readonly highlight: Highlighter | undefined;
  readonly placeholder: string;
  readonly overlay: Overlay | undefined;
  readonly form: QuestionForm | undefined;
  readonly requestTop: number;
  /** The request that keys answer: the one on the screen, a moment after it appeared. */
  readonly answerable: string | undefined;
  readonly completion: Completion;
  readonly search: Search | undefined;
  /** Selected rows of the conversation, counted from the top of the viewport. */
  readonly selection: { readonly from: number; readonly to: number } | undefined;
  readonly repository: {
    readonly shown: boolean;
    readonly status: RepositoryStatus | undefined;
    readonly placement: UiSettings["breadcrumb"]["placement"];
    readonly showAction: boolean;
    readonly leader: string;
  };
  statusFacts(): StatusFacts;
  greeting(): readonly Line[];
  /** Capabilities of the agent on the screen, if known. */
  capabilities(): Capabilities | undefined;
}
