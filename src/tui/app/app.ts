/** The terminal interface: holds the state, handles input, and requests drawing. Writes no escape sequences. */
import type { AgentStatus, Prompt, Reins } from "../../core/api.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { toReinsError, type ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { answersAfterMs } from "../../view/answer-keys.ts";
import { loadHighlighter, type Highlighter } from "../../view/highlight/index.ts";
import { modeName } from "../../view/mode-names.ts";
import type { RepositoryStatus } from "../../view/repository.ts";
import type { UiSettings } from "../../view/ui-settings.ts";
import { watchRepository, type RepositoryWatch } from "../../commands/watch-repository.ts";
import { EditorHistory, FileIndex, noCompletion, type Completion } from "../editor/index.ts";
import type { TerminalInput } from "../key.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { watchCloudAgents } from "../cloud/count.ts";
import { drawFull, drawLive, lookOf, type DrawnFrame, type Places, type Size } from "./draw.ts";
import { greetingLines } from "./greeting.ts";
import type { AppOutput, TuiHost } from "./host.ts";
import { handleKey, handleMouse, handlePaste } from "./input.ts";
import { InlineImages } from "./inline-images.ts";
import { takePrinted, type Printed } from "./inline.ts";
import { offerNextStep } from "../panels/sign-in.ts";
import type { Overlay } from "./overlay.ts";
import { questionForm, type QuestionForm } from "./question-form.ts";
import type { SessionView } from "./session-view.ts";
import { Sessions } from "./sessions.ts";
import type { AppState, Search } from "./state.ts";
import { showKeys } from "./shortcuts.ts";
import { runSlashCommand } from "./slash.ts";
import type { StatusFacts } from "./status-bar.ts";
import { countUnread } from "./viewport.ts";
import { submit } from "./submit.ts";

const messageMs = 2_000;
/** Events of a session in the background that change nothing on the screen. */
const growing: ReadonlySet<ReinsEvent["type"]> = new Set(["message.delta", "thought.delta", "tool.progress"]);

export class App implements AppState {
  readonly host: TuiHost;
  readonly output: AppOutput;
  readonly sessions: Sessions;
  readonly history = new EditorHistory();
  readonly files: FileIndex;
  /** Aborts the running file search. */
  fileSearch = new AbortController();
  readonly leaving = new AbortController();
  readonly home: string | undefined;
  readonly placeholder = "What should the agent do?  / commands · @ files · ! shell · & cloud";
  theme: Theme;
  settings: UiSettings;
  readonly images: InlineImages;
  screen: UiSettings["screen"];
  showSidebar = true;
  highlight: Highlighter | undefined;
  overlay: Overlay | undefined;
  form: QuestionForm | undefined;
  requestTop = 0;
  answerable: string | undefined;
  completion: Completion = noCompletion;
  search: Search | undefined;
  selection: { from: number; to: number } | undefined;
  /** True after the leader key: the next key is a shortcut. */
  leaderPressed = false;
  focused = true;
  size: Size = { columns: 80, rows: 24 };
  places: Places = { conversation: undefined, repositoryAction: undefined, editor: undefined };
  /** The session that the inline screen printed last. */
  lastPrinted: SessionView | undefined;
  agents: readonly AgentStatus[] = [];
  served = false;
  /** Number of running cloud agents, as last known. */
  cloudAgents = 0;
  /** The request that was drawn last, and the timer after which keys answer it. */
  #drawnRequest: string | undefined;
  #answerableTimer: NodeJS.Timeout | undefined;
  #preparing: NodeJS.Immediate | undefined;
  #message: { readonly text: string; readonly until: number; readonly turnOf: SessionView | undefined } | undefined;
  #opened: Promise<Reins> | undefined;
  #repository: RepositoryStatus | undefined;
  #inRepository = true;
  #watch: RepositoryWatch | undefined;

  constructor(host: TuiHost, output: AppOutput, theme: Theme) {
    this.host = host;
    this.output = output;
    this.theme = theme;
    this.settings = host.settings;
    this.screen = host.settings.screen;
    this.home = host.home;
    this.images = new InlineImages(this);
    const { agent, model, mode, fallback } = host.first;
    this.sessions = new Sessions(
      {
        reins: () => this.reins(),
        changed: (view, event) => this.#changed(view, event),
        failed: (view, error) => {
          this.fail(error, view);
          offerNextStep(this, view, error, () => submit(this));
        },
      },
      host.cwd,
      { agent, model, mode, fallback },
    );
    this.files = new FileIndex({ list: (signal) => host.listFiles(host.cwd, signal) });
  }

  get now(): number {
    return this.host.now();
  }

  get repository(): AppState["repository"] {
    const { breadcrumb, leader } = this.settings;
    const { placement, showAction } = breadcrumb;
    return {
      shown: placement !== "hidden" && this.#inRepository,
      ...{
        status: this.#repository,
        placement,
        showAction,
        leader: leader.replace("ctrl+", "Ctrl+").replace(/x$/, "X"),
      },
    };
  }

  /** Opens Reins once. */
  reins(): Promise<Reins> {
    this.#opened ??= this.host.open().then(({ reins, served }) => {
      this.served = served;
      return reins;
    });
    return this.#opened;
  }

  /** Starts everything that the first frame does not need. Resuming a session comes first. */
  async start(): Promise<void> {
    try {
      const reins = await this.reins();
      await this.#resume();
      void this.host.loadHistory().then((entries) => entries.forEach((entry) => this.history.add(entry)));
      void this.#findAgents(reins).then(() => watchCloudAgents(this));
      this.#watch = watchRepository(reins, {
        cwd: this.sessions.active.cwd,
        intervalMs: this.settings.breadcrumb.pollIntervalMs,
        signal: this.leaving.signal,
        onStatus: (status) => {
          this.#inRepository = status !== undefined;
          this.#repository = status;
          this.draw();
        },
      });
    } catch (thrown) {
      this.fail(toReinsError(thrown));
    }
    void loadHighlighter().then((highlight) => {
      this.highlight = highlight;
      this.draw();
    });
  }

  async #resume(): Promise<void> {
    const { resume } = this.host.first;
    if (resume === undefined) return;
    try {
      await this.sessions.open(resume, this.host.first, this.sessions.active);
      this.output.changed(true);
    } catch (thrown) {
      this.fail(toReinsError(thrown));
    }
  }

  async #findAgents(reins: Reins): Promise<void> {
    try {
      this.agents = await reins.agents();
    } catch (thrown) {
      this.fail(toReinsError(thrown));
    }
    this.draw();
  }

  async refreshAgents(): Promise<readonly AgentStatus[]> {
    this.agents = await (await this.reins()).agents({ fresh: true });
    return this.agents;
  }

  refreshRepository(): void {
    this.#watch?.refresh();
  }

  input(input: TerminalInput): void {
    switch (input.kind) {
      case "key":
        handleKey(this, input.key);
        break;
      case "paste":
        handlePaste(this, input.text);
        break;
      case "mouse":
        handleMouse(this, input);
        break;
      case "focus":
        this.focused = input.focused;
        if (input.focused) this.refreshRepository();
        return;
      case "resize":
        break;
    }
    this.output.changed(true);
  }

  draw(): void {
    this.output.changed(false);
  }

  frame(size: Size): DrawnFrame {
    this.size = size;
    this.#watchRequest();
    const { active } = this.sessions;
    if (active.anchor === undefined) active.foldRead();
    const drawn = drawFull(this, size);
    this.#prepareBlocks();
    this.places = drawn.places;
    const { conversation } = drawn.places;
    if (active.anchor === undefined) active.unread = undefined;
    else if (conversation !== undefined)
      active.unread = countUnread(active.unread, conversation.width, conversation.shown);
    return drawn;
  }

  /** Prepares blocks for the first scroll or search of a long session. Waits for the highlighter, because it redraws every block. */
  #prepareBlocks(): void {
    if (this.highlight === undefined) return;
    this.#preparing ??= setImmediate(() => {
      this.#preparing = undefined;
      if (this.screen === "full" && this.sessions.active.prepareBlocks(this.look())) this.#prepareBlocks();
    });
  }

  /** The live rows, and the lines to print above them. Each line is returned once. */
  inlineFrame(size: Size): DrawnFrame & { readonly print: Printed["print"] } {
    this.size = size;
    this.#watchRequest();
    const { print, tail } = takePrinted(this, size);
    const drawn = drawLive(this, size, tail);
    this.places = drawn.places;
    return { ...drawn, print };
  }

  #watchRequest(): void {
    const shown = this.sessions.active.request?.requestId;
    if (shown === this.#drawnRequest) return;
    this.#drawnRequest = shown;
    this.requestTop = 0;
    this.answerable = undefined;
    clearTimeout(this.#answerableTimer);
    if (shown === undefined) return;
    this.#answerableTimer = setTimeout(() => {
      this.answerable = shown;
      this.draw();
    }, answersAfterMs);
  }

  /** True while the screen changes by itself. */
  get isAnimated(): boolean {
    const { state, commands } = this.sessions.active;
    return state === "running" || commands.size > 0 || this.#message !== undefined;
  }

  /** Shows a message in the status bar for a moment; "" clears it. With `turnOf` it ends with that session's turn at the latest. */
  flash(text: string, ms = messageMs, turnOf?: SessionView): void {
    this.#message = text === "" ? undefined : { text, until: this.now + ms, turnOf };
    this.draw();
  }

  /** Adds a message of the interface to the conversation. */
  say(lines: readonly Line[], view: SessionView = this.sessions.active): void {
    view.say(lines);
    view.anchor = undefined;
    this.draw();
  }

  fail(error: ReinsError, view: SessionView = this.sessions.active): void {
    const { theme } = this;
    const help = error.help === undefined ? [] : [{ text: theme.dim(oneLine(error.help)) }];
    this.say([{ text: "" }, { text: theme.error(`✗ ${oneLine(error.message)}`) }, ...help], view);
  }

  /** Runs `work`; a failure becomes a message in the session. */
  attempt(work: () => Promise<void>): void {
    const view = this.sessions.active;
    work().catch((thrown: unknown) => this.fail(toReinsError(thrown), view));
  }

  runCommand(text: string): void {
    runSlashCommand(this, text);
  }

  showKeys(): void {
    showKeys(this);
  }

  /** Answers a request, and shows an error when the answer is not accepted. */
  answer(view: SessionView, requestId: string, answer: Parameters<SessionView["answer"]>[1]): void {
    this.attempt(async () => view.answer(requestId, answer));
  }

  prompt(view: SessionView, prompt: Prompt): void {
    view.anchor = undefined;
    void this.sessions.prompt(view, prompt).then(() => this.refreshRepository());
  }

  #changed(view: SessionView, event: ReinsEvent | undefined): void {
    const { request } = this.sessions.active;
    if (request?.kind === "question" && this.form?.requestId !== request.requestId) this.form = questionForm(request);
    if (event !== undefined) this.#tell(view, event);
    if (event?.type === "turn.completed" && event.error !== undefined)
      offerNextStep(this, view, event.error, () =>
        this.flash("Press ↑ to bring the prompt back and send it again.", 5_000),
      );
    const isUnseen = view !== this.sessions.active && event !== undefined && growing.has(event.type);
    if (!isUnseen) this.draw();
  }

  /** Notifies a person who looks elsewhere, once per request and per turn. */
  #tell(view: SessionView, event: ReinsEvent): void {
    const waits = event.type === "permission.requested" || event.type === "question.requested";
    const ended = event.type === "turn.completed" && event.next === undefined;
    const answered = event.type === "permission.resolved" || event.type === "question.resolved";
    if (waits || ended || answered) this.#setTitle(view);
    if (!waits && !ended) return;
    if (view !== this.sessions.active) view.news = waits ? "waits" : "ended";
    if (this.focused) return;
    const body = waits ? "Waiting for your answer" : event.outcome === "done" ? "Finished" : `Ended: ${event.outcome}`;
    this.output.notify(shortName(view), body);
  }

  /** The window title names the session that waits, else the session in which something happened. */
  #setTitle(view: SessionView): void {
    const waiting = [view, ...this.sessions.views].find(({ request }) => request !== undefined);
    this.output.setTitle(waiting === undefined ? `${shortName(view)} · Reins` : `● ${shortName(waiting)} waits`);
  }

  statusFacts(): StatusFacts {
    const view = this.sessions.active;
    const { until = Infinity, turnOf } = this.#message ?? {};
    if (until <= this.now || (turnOf !== undefined && (turnOf !== view || !view.isBusy))) this.#message = undefined;
    const agent = this.agents.find(({ id }) => id === view.agent);
    const ready = this.agents.filter((one) => one.ready);
    const only = ready.every(({ builtIn }) => builtIn === true) ? ready[0] : undefined;
    return {
      view,
      agentName: (agent ?? (view.agent === undefined ? only : undefined))?.name,
      agentVersion: agent?.builtIn === true ? undefined : agent?.version,
      newerVersion: agent?.newerVersion,
      mode: modeName(view.mode, agent?.capabilities),
      version: this.host.version,
      now: this.now,
      message: this.leaderPressed ? `${this.repository.leader} …` : this.#message?.text,
      waitingElsewhere: this.sessions.views.filter((other) => other !== view && other.state === "waiting").length,
      cloudAgents: this.cloudAgents,
      editorMode: this.settings.vi ? view.editor.mode : undefined,
    };
  }

  greeting(): readonly Line[] {
    return greetingLines(this);
  }

  capabilities(): Capabilities | undefined {
    return this.agents.find(({ id }) => id === this.sessions.active.agent)?.capabilities;
  }

  look(): ReturnType<typeof lookOf> {
    return lookOf(this, this.size);
  }

  stop(): void {
    this.leaving.abort();
    clearTimeout(this.#answerableTimer);
    clearImmediate(this.#preparing);
    this.sessions.leave();
  }
}

function shortName({ name }: SessionView): string {
  return oneLine(name).slice(0, 60);
}
