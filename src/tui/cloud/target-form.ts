/** Asks for the target of a cloud agent: repository, start, branch to push, pull request. Drawn as a list whose rows open. */
import { noRepository } from "../../commands/cloud.ts";
import type { Cloud } from "../../core/api.ts";
import { toReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { CloudTarget } from "../../view/cloud.ts";
import type { App } from "../app/app.ts";
import { picker, textField, type PickerItem } from "../app/overlay.ts";
import { emptyEditor, setText } from "../editor/index.ts";

export interface TargetForm {
  readonly cloud: Cloud;
  readonly cwd: string;
  readonly target: CloudTarget;
  /** A sentence above the rows, such as why the last attempt failed. */
  readonly note?: string | undefined;
  /** Label of the first row, such as "Start". */
  readonly does: string;
  /** Called after the target is saved. */
  readonly done: (target: CloudTarget) => void;
}

const rows = [
  ["repository", "Repository", "not chosen"],
  ["ref", "Start from", "the default branch"],
  ["branch", "Push to", "chosen by the service"],
] as const;

type TextRow = (typeof rows)[number][0];

export function askTarget(app: App, form: TargetForm, chosen?: string): void {
  const { target, does, note } = form;
  const items: readonly PickerItem[] = [
    { id: "done", label: does, mark: app.theme.accent("▸") },
    ...rows.map(([id, label, none]) => ({ id, label, detail: oneLine(target[id] ?? none) })),
    {
      id: "createPr",
      label: "Pull request",
      detail: target.createPr === true ? "opened when done" : "not opened",
    },
    ...(note === undefined ? [] : [{ id: "note", label: app.theme.warning(oneLine(note)), disabled: "" }]),
  ];
  const open = ({ id }: PickerItem): void => {
    if (id === "done") return save(app, form);
    if (id === "repository") return pickRepository(app, form);
    if (id === "createPr") return change(app, form, { createPr: target.createPr !== true }, id);
    const row = rows.find(([name]) => name === id);
    if (row !== undefined) askText(app, form, row[0], row[1]);
  };
  const at = items.findIndex(({ id }) => id === chosen);
  app.overlay = picker("Cloud agent", items, open, { chosen: Math.max(0, at) });
  app.draw();
}

function change(app: App, form: TargetForm, changed: CloudTarget, chosen: string): void {
  askTarget(app, { ...form, target: { ...form.target, ...changed }, note: undefined }, chosen);
}

function save(app: App, form: TargetForm): void {
  const { target, cwd, done } = form;
  if (target.repository === undefined) return askTarget(app, { ...form, note: noRepository }, "repository");
  app.attempt(async () => {
    const reins = await app.reins();
    try {
      await reins.saveCloudTarget(target, { cwd });
    } catch (thrown) {
      return askTarget(app, { ...form, note: toReinsError(thrown).message });
    }
    // The saved target may be normalised, for example from an SSH address.
    done((await reins.cloudTarget({ cwd })).remembered ?? target);
  });
}

function askText(app: App, form: TargetForm, row: TextRow, label: string): void {
  const accept = (typed: string): void => change(app, form, { [row]: typed.trim() || undefined }, row);
  const note =
    row === "repository" ? "Such as https://github.com/team/project" : "Leave it empty to let the service choose.";
  app.overlay = textField(label, accept, { editor: setText(emptyEditor, form.target[row] ?? ""), note });
  app.draw();
}

const otherAddress = "other";

/** Repositories that the service may work on. Requested at most once a minute; an address can be typed meanwhile. */
function pickRepository(app: App, form: TargetForm): void {
  const typed: PickerItem = { id: otherAddress, label: "Type an address…", mark: app.theme.accent("▸") };
  const accept = ({ id }: PickerItem): void =>
    id === otherAddress
      ? askText(app, form, "repository", "Repository")
      : change(app, form, { repository: id }, "repository");
  app.overlay = picker("Repository", [typed], accept, { hint: "Loading repositories…" });
  app.draw();
  const show = (hint: string | undefined, addresses: readonly string[]): void => {
    const { overlay } = app;
    if (overlay?.kind !== "picker" || overlay.accept !== accept) return;
    app.overlay = { ...overlay, hint, items: [typed, ...addresses.map((id) => ({ id, label: oneLine(id) }))] };
    app.draw();
  };
  form.cloud.repositories().then(
    (addresses) => show(`${addresses.length} repositories`, addresses),
    (thrown: unknown) => show(oneLine(toReinsError(thrown).message), []),
  );
}
