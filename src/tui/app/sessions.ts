/** The sessions that this interface has open: opening, following, prompting, switching. The others go on while one is shown. */
import type { Prompt, Reins, Session } from "../../core/api.ts";
import { toReinsError, type ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { isEmpty, setText } from "../editor/index.ts";
import { SessionView, type Choice } from "./session-view.ts";

export interface SessionsContext {
  readonly reins: () => Promise<Reins>;
  /** Something of this session changed. `event` is undefined for what is not in its log. */
  readonly changed: (view: SessionView, event?: ReinsEvent) => void;
  readonly failed: (view: SessionView, error: ReinsError) => void;
}

export class Sessions {
  readonly #context: SessionsContext;
  readonly #leaving = new AbortController();
  /** In the order in which they were opened. */
  readonly views: SessionView[] = [];
  active: SessionView;
  /** Variables that a person typed, by agent. They are in no environment but that of the agent, and not stored. */
  readonly #variables = new Map<string, Readonly<Record<string, string>>>();

  constructor(context: SessionsContext, cwd: string, choice: Choice) {
    this.#context = context;
    this.active = new SessionView(cwd, choice);
    this.views.push(this.active);
  }

  /** A session that begins with its first prompt. An unused one is taken again. */
  create(cwd: string, choice: Choice): SessionView {
    const unused = this.views.find((view) => view.state === "new" && view.id === undefined && view.cwd === cwd);
    const view = unused ?? new SessionView(cwd, choice);
    if (unused === undefined) this.views.push(view);
    else unused.choice = choice;
    return this.show(view);
  }

  /** A session beside the one on the screen. */
  add(cwd: string, choice: Choice): SessionView {
    const view = new SessionView(cwd, choice);
    this.views.push(view);
    this.#context.changed(view);
    return view;
  }

  show(view: SessionView): SessionView {
    if (!this.views.includes(view)) this.views.push(view);
    this.active = view;
    view.news = undefined;
    this.#context.changed(view);
    return view;
  }

  /** The next or previous open session. */
  step(by: 1 | -1): SessionView {
    const { views } = this;
    const at = views.indexOf(this.active);
    return this.show(views[(at + by + views.length) % views.length]!);
  }

  /** Shows a kept session: at once if it is open here, else as soon as it is read. */
  async open(name: string, choice: Choice = {}): Promise<SessionView> {
    const known = this.views.find(({ id }) => id === name);
    if (known !== undefined) return this.show(known);
    const reins = await this.#context.reins();
    const details = await reins.sessions.get(name);
    const again = this.views.find(({ id }) => id === details.id);
    if (again !== undefined) return this.show(again);
    const { agent, mode, model, agentFile } = details;
    const view = new SessionView(details.cwd, { agent, mode, model, agentFile, ...choice });
    view.id = details.id;
    view.title = details.title;
    view.loading = true;
    this.show(view);
    try {
      for await (const event of reins.sessions.events(details.id)) {
        if (this.#leaving.signal.aborted) break;
        view.apply(event);
      }
    } finally {
      view.loading = false;
      this.#context.changed(view);
    }
    // A turn that runs elsewhere (in the server) is followed, and its requests can be answered.
    if (details.openTurn !== undefined) await this.connect(view).catch(() => undefined);
    return view;
  }

  /** Takes up a session that is open already, beside the one on the screen. */
  adopt(view: SessionView, session: Session): void {
    this.views.push(view);
    this.#attach(view, session);
    this.#context.changed(view);
  }

  /** Sends a prompt. While a turn runs it waits in the queue of the view. */
  async prompt(view: SessionView, prompt: Prompt): Promise<void> {
    if (view.isBusy || view.state === "loading") {
      view.queue.push(prompt);
      this.#context.changed(view);
      return;
    }
    view.starting = true;
    this.#context.changed(view);
    try {
      const session = await this.connect(view);
      const { outcome } = await session.prompt(prompt).result;
      // A person who stops a turn keeps what is queued, to edit or send it.
      if (outcome === "cancelled") return;
    } catch (thrown) {
      view.starting = false;
      // A prompt that was never taken goes back, so that nothing typed is lost.
      if (isEmpty(view.editor)) view.editor = setText(view.editor, typeof prompt === "string" ? prompt : prompt.text);
      this.#context.failed(view, toReinsError(thrown));
    } finally {
      this.#context.changed(view);
    }
    this.sendNext(view);
  }

  /** Sends the next queued prompt, once nothing runs. */
  sendNext(view: SessionView): void {
    if (view.isBusy || this.#leaving.signal.aborted) return;
    const next = view.queue.shift();
    if (next !== undefined) void this.prompt(view, next);
  }

  /** The open session behind a view; opened or resumed where it is not. */
  async connect(view: SessionView): Promise<Session> {
    if (view.session !== undefined) return view.session;
    const reins = await this.#context.reins();
    const { agent, agentFile, model, mode, fallback, remote } = view.choice;
    const state = view.id ?? view.resume;
    const resumed = state === undefined ? { agent, agentFile } : { resume: state };
    const env = view.agent === undefined ? undefined : this.#variables.get(view.agent);
    const options = { ...resumed, model, mode, fallback, remote, env, cwd: view.cwd, attended: true };
    const session = await reins.session(options).catch(async (thrown: unknown) => {
      // Nobody was chosen and nobody is ready: the agent that needs nothing answers.
      const builtIn =
        state === undefined && agent === undefined && model === undefined ? await this.#builtIn(reins) : undefined;
      if (builtIn === undefined) throw thrown;
      return reins.session({ ...options, agent: builtIn });
    });
    if (view.id === undefined && view.resume !== undefined) view.continueInNewLog();
    this.#attach(view, session);
    return session;
  }

  #attach(view: SessionView, session: Session): void {
    // A person looks at it, so nothing that it asks has a deadline.
    session.setPresence?.(true);
    view.session = session;
    view.id = session.id;
    void this.#follow(view, session);
  }

  /** The built-in agent that is ready, where no other one is. */
  async #builtIn(reins: Reins): Promise<string | undefined> {
    const ready = (await reins.agents()).filter((agent) => agent.ready);
    return ready.every(({ builtIn }) => builtIn === true) ? ready[0]?.id : undefined;
  }

  async #follow(view: SessionView, session: Session): Promise<void> {
    try {
      const after = view.lastSeq;
      for await (const event of session.events({ after, signal: this.#leaving.signal })) {
        view.apply(event);
        if (event.type === "turn.started") view.starting = false;
        this.#context.changed(view, event);
        // The result of a turn may be known before its last event is here, when the view still says that it runs.
        if (event.type === "turn.completed" && event.next === undefined && event.outcome !== "cancelled")
          this.sendNext(view);
      }
    } catch (thrown) {
      if (!this.#leaving.signal.aborted) this.#context.failed(view, toReinsError(thrown));
    }
    if (view.session === session) view.session = undefined;
    view.starting = false;
    this.#context.changed(view);
  }

  async configure(view: SessionView, change: Pick<Choice, "model" | "mode">): Promise<void> {
    const { model, mode } = change;
    if (view.session !== undefined)
      await view.session.configure({
        ...(model === undefined ? {} : { model }),
        ...(mode === undefined ? {} : { mode }),
      });
    view.choice = { ...view.choice, ...change };
    this.#context.changed(view);
  }

  /** Another agent goes on with the session; one that has not begun simply takes it. */
  async switchAgent(view: SessionView, agent: string): Promise<void> {
    if (view.id === undefined) {
      view.choice = { mode: view.choice.mode, fallback: view.choice.fallback, agent };
      this.#context.changed(view);
      return;
    }
    const session = await this.connect(view);
    await session.handoff({ to: agent });
    view.choice = { ...view.choice, agent, model: undefined };
    this.#context.changed(view);
  }

  /** Starts the agent with a variable from now on. A session that rests is resumed with it by its next prompt. */
  async useVariable(agent: string, name: string, value: string): Promise<void> {
    this.#variables.set(agent, { ...this.#variables.get(agent), [name]: value });
    const resting = this.views.filter((view) => view.agent === agent && view.state !== "running");
    for (const { request, session } of resting) if (request === undefined) await session?.close();
  }

  async cancel(view: SessionView): Promise<void> {
    await view.session?.cancel();
  }

  /** Stops following everything. Whether the sessions go on is up to whoever closes the Reins. */
  leave(): void {
    this.#leaving.abort();
  }
}
