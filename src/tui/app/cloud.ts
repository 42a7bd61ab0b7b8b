/** Agents that work in the cloud: the list, and `&prompt`, which starts one. */
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { App } from "./app.ts";
import { picker, type PickerItem } from "./overlay.ts";

/** The agent whose sessions run elsewhere. */
async function cloudAgent(app: App): Promise<string> {
  const [id] = await (await app.reins()).clouds();
  if (id === undefined)
    throw new ReinsError("unsupported", "No cloud agent is set up here. `reins agents` shows what each one needs.");
  return id;
}

/** `&prompt`: a session of a cloud agent on this repository, beside the one on the screen. */
export function startCloud(app: App, prompt: string): void {
  app.attempt(async () => {
    const agent = await cloudAgent(app);
    const view = app.sessions.create(app.sessions.active.cwd, { agent });
    app.prompt(view, prompt);
  });
}

export function showCloud(app: App): void {
  app.flash("Asking the service…", 30_000);
  app.attempt(async () => {
    const id = await cloudAgent(app);
    const { cloud } = await (await app.reins()).manage(id);
    if (cloud === undefined) throw new ReinsError("unsupported", `${id} has no list of cloud agents.`);
    const { agents } = await cloud.list({ limit: 50 });
    app.cloudAgents = agents.filter(({ status }) => status === "working").length;
    app.flash("");
    const items = agents.map(({ id: key, name, status }) => ({ id: key, label: oneLine(name ?? key), detail: status }));
    const find = (item: PickerItem) => agents.find((agent) => agent.id === item.id);
    const refresh = (work: (key: string) => Promise<unknown>) => (item: PickerItem) => {
      app.overlay = undefined;
      app.attempt(async () => {
        await work(item.id);
        showCloud(app);
      });
    };
    const keys = [
      { key: "s", label: "stop", run: refresh((key) => cloud.stop(key)) },
      {
        key: "d",
        label: "delete",
        run: (item: PickerItem) => {
          app.overlay = {
            ...{ kind: "confirm", title: "Delete this cloud agent?", yes: "delete" },
            lines: [{ text: `${item.label}: its conversation is deleted too. This cannot be undone.` }],
            accept: () => refresh((key) => cloud.remove(key))(item),
          };
        },
      },
    ];
    const open = (item: PickerItem): void => {
      const found = find(item);
      if (found === undefined) return;
      app.attempt(async () => {
        const view = app.sessions.create(app.sessions.active.cwd, { agent: id });
        for (const event of await cloud.conversation(found.id)) view.apply(event);
        view.title = found.name;
        view.resume = found.state;
        app.draw();
      });
    };
    app.overlay = picker("Cloud agents", items, open, { keys, hint: "Enter opens" });
    app.draw();
  });
}
