/** Files that clients upload for a prompt, kept until their session is closed or they are too old. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Attachment } from "../agents/contract.ts";
import type { Prompt } from "../core/api.ts";
import { requireInside, type Principal } from "./access/principal.ts";
import { HttpError } from "./http-error.ts";
import type { ServerLimits } from "./limits.ts";
import type { UploadAnswer } from "./schemas/settings.ts";
import type { AttachmentBody, PromptBody } from "./schemas/common.ts";

interface Upload extends UploadAnswer {
  readonly path: string;
  /** The session of the upload's prompt: the agent may read the file until the session is closed. */
  session: string | undefined;
  until: number;
}

export class Uploads {
  readonly #limits: ServerLimits;
  readonly #now: () => number;
  readonly #kept = new Map<string, Upload>();
  #folder: string | undefined;

  constructor(limits: ServerLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  add(content: Uint8Array, name = "file", mediaType = "application/octet-stream"): UploadAnswer {
    this.#requireRoom(content.byteLength);
    this.#folder ??= mkdtempSync(join(tmpdir(), `reins-uploads-${process.pid}-`));
    const id = `upl_${randomBytes(12).toString("hex")}`;
    // Only the extension reaches the disk, because some agents read it.
    const ending = /^\.\w{1,10}$/.test(extname(name)) ? extname(name) : "";
    const path = join(this.#folder, `${id}${ending}`);
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
    const upload = { id, name, mediaType, bytes: content.byteLength };
    this.#kept.set(id, { ...upload, path, session: undefined, until: this.#now() + this.#limits.unusedUploadMs });
    return upload;
  }

  get(id: string): UploadAnswer & { readonly path: string } {
    this.removeOld();
    const upload = this.#kept.get(id);
    if (upload === undefined) throw new HttpError(400, "invalid_input", `There is no upload ${id}.`);
    return upload;
  }

  /** Marks the uploads in a prompt of a session. */
  used(ids: readonly string[], session: string): void {
    for (const upload of ids.map((id) => this.#kept.get(id)).filter((one) => one !== undefined)) {
      upload.session = session;
      upload.until = this.#now() + this.#limits.usedUploadMs;
    }
  }

  closed(session: string): void {
    this.#removeWhere((upload) => upload.session === session);
  }

  removeOld(): void {
    const now = this.#now();
    this.#removeWhere(({ until }) => until <= now);
  }

  removeAll(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#kept.clear();
  }

  #requireRoom(bytes: number): void {
    this.removeOld();
    const { uploads, uploadsBytes } = this.#limits;
    const there = [...this.#kept.values()].reduce((sum, upload) => sum + upload.bytes, 0);
    if (this.#kept.size < uploads && there + bytes <= uploadsBytes) return;
    throw new HttpError(413, "invalid_input", "There is no more room for uploads.", {
      help: "Close sessions that used uploads, or wait an hour until unused ones are removed.",
    });
  }

  #removeWhere(is: (upload: Upload) => boolean): void {
    for (const upload of [...this.#kept.values()].filter(is)) {
      this.#kept.delete(upload.id);
      rmSync(upload.path, { force: true });
    }
  }
}

export function promptOf(uploads: Uploads, principal: Principal, prompt: PromptBody): Prompt {
  if (typeof prompt === "string") return prompt;
  const { text, attachments = [] } = prompt;
  return { text, attachments: attachments.map((one) => attachmentOf(uploads, principal, one)) };
}

export function uploadsIn(prompt: PromptBody): readonly string[] {
  if (typeof prompt === "string") return [];
  return (prompt.attachments ?? []).flatMap((one) => (one.kind === "upload" ? [one.id] : []));
}

function attachmentOf(uploads: Uploads, principal: Principal, attachment: AttachmentBody): Attachment {
  if (attachment.kind === "upload") {
    const { path, mediaType, name } = uploads.get(attachment.id);
    return mediaType.startsWith("image/") ? { kind: "image", path, name } : { kind: "file", path, name };
  }
  if ("path" in attachment) requireInside(principal, attachment.path, "file");
  return attachment;
}
