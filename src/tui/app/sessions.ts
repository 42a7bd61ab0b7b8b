/** The open sessions of this interface: opening, following, prompting, switching. Sessions in the background continue. */
import type { Prompt, Reins, Session } from "../../core/api.ts";
import { toReinsError, type ReinsError } from "../../events/errors.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { isEmpty, setText } from "../editor/index.ts";
import { SessionView, type Choice } from "./session-view.ts";

export interface SessionsContext {
  readonly reins: () => Promise<Reins>;
  /** Called when a session changed. `event` is undefined for a change that is not in its log. */
  readonly changed: (view: SessionView, event?: ReinsEvent) => void;
  readonly failed: (view: SessionView, error: ReinsError) => void;
}

export class Sessions {
  readonly #context: SessionsContext;
  readonly #leaving = new AbortController();
  /** In the order in which they were opened. */
  readonly views: SessionView[] = [];
  active: SessionView;
  /** Variables that a person typed, by agent. Only the agent's environment gets them; they are not stored. */
  readonly #variables = new Map<string, Readonly<Record<string, string>>>();

  constructor(context: SessionsContext, cwd: string, choice: Choice) {
    this.#context = context;
    this.active = new SessionView(cwd, choice);
    this.views.push(this.active);
  }

  /** A session that begins with its first prompt. An unused one is reused. */
  create(cwd: string, choice: Choice): SessionView {
    const unused = this.views.find((view) => view.state === "new" && view.id === undefined && view.cwd === cwd);
    const view = unused ?? new SessionView(cwd, choice);
    if (unused === undefined) this.views.push(view);
    else unused.choice = choice;
    return this.show(view);
  }

  /** Adds a session in the background. */
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

  /** Shows a stored session: at once if it is open here, else when it is read. `unused`: a session whose place it takes. */
  async open(name: string, choice: Choice = {}, unused?: SessionView): Promise<SessionView> {
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
    if (unused !== undefined) this.#replace(unused, view);
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

  /** Removes a session that has not begun from the list. Its draft moves to the other session. */
  #replace(unused: SessionView, view: SessionView): void {
    if (unused.state !== "new" || unused.id !== undefined || unused.queue.length > 0) return;
    view.editor = unused.editor;
    this.views.splice(this.views.indexOf(unused), 1);
  }

  /** Adds a session that is already open, in the background. */
  adopt(view: SessionView, session: Session): void {
    this.views.push(view);
    this.#attach(view, session);
    this.#context.changed(view);
  }

  /** Sends a prompt, or queues it while a turn runs. */
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
      // A person who stops a turn keeps the queue, to edit or send it.
      if (outcome === "cancelled") return;
    } catch (thrown) {
      view.starting = false;
      // Put back a prompt that was not accepted, so that no typed text is lost.
      if (isEmpty(view.editor)) view.editor = setText(view.editor, typeof prompt === "string" ? prompt : prompt.text);
      this.#context.failed(view, toReinsError(thrown));
    } finally {
      this.#context.changed(view);
    }
    this.sendNext(view);
  }

  /** Sends the next queued prompt if nothing runs. */
  sendNext(view: SessionView): void {
    if (view.isBusy || this.#leaving.signal.aborted) return;
    const next = view.queue.shift();
    if (next !== undefined) void this.prompt(view, next);
  }

  /** Opens or resumes the session of a view, unless it is open. */
  async connect(view: SessionView): Promise<Session> {
    if (view.session !== undefined) return view.session;
    const reins = await this.#context.reins();
    const { agent, agentFile, model, mode, fallback, remote } = view.choice;
    const state = view.id ?? view.resume;
    const resumed = state === undefined ? { agent, agentFile } : { resume: state };
    const env = view.agent === undefined ? undefined : this.#variables.get(view.agent);
    const options = { ...resumed, model, mode, fallback, remote, env, cwd: view.cwd, attended: true };
    const session = await reins.session(options).catch(async (thrown: unknown) => {
      // No agent was chosen and none is ready: use the built-in agent, which needs no setup.
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
    // A person is present, so requests have no deadline.
    session.setPresence?.(true);
    view.session = session;
    view.id = session.id;
    void this.#follow(view, session);
  }

  /** The built-in agent that is ready, if no other agent is. */
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
        // The result of a turn may be known before its last event has arrived, while the view still shows it as running.
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

  /** Hands the session to another agent. A session that has not begun simply uses it. */
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

  /** Starts the agent with a variable from now on. An idle session is resumed with it at its next prompt. */
  async useVariable(agent: string, name: string, value: string): Promise<void> {
    this.#variables.set(agent, { ...this.#variables.get(agent), [name]: value });
    const resting = this.views.filter((view) => view.agent === agent && view.state !== "running");
    for (const { request, session } of resting) if (request === undefined) await session?.close();
  }

  async cancel(view: SessionView): Promise<void> {
    await view.session?.cancel();
  }

  /** Stops following all sessions. The owner of the Reins decides whether they continue. */
  leave(): void {
    this.#leaving.abort();
  }
}
