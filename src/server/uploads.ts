/** Files that clients send to attach them to a prompt: in a folder of their own that goes with the server. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Attachment } from "../agents/contract.ts";
import type { Prompt } from "../core/api.ts";
import type { Principal } from "./access/principal.ts";
import { requireInside } from "./access/roots.ts";
import { HttpError } from "./http-error.ts";
import type { UploadAnswer } from "./schemas/access.ts";
import type { AttachmentBody, PromptBody } from "./schemas/prompt.ts";

export const uploadBytes = 20 * 1024 * 1024;
const allBytes = 500 * 1024 * 1024;

interface Upload extends UploadAnswer {
  readonly path: string;
}

export class Uploads {
  #folder: string | undefined;
  #bytes = 0;
  readonly #kept = new Map<string, Upload>();

  add(content: Uint8Array, name = "file", mediaType = "application/octet-stream"): UploadAnswer {
    if (this.#bytes + content.byteLength > allBytes)
      throw new HttpError(413, "invalid_input", "There is no more room for uploads.", { help: "Restart the server." });
    this.#folder ??= mkdtempSync(join(tmpdir(), "reins-uploads-"));
    const id = `upl_${randomBytes(12).toString("hex")}`;
    // Of the name only its ending reaches the disk: some agents go by it.
    const ending = /^\.\w{1,10}$/.test(extname(name)) ? extname(name) : "";
    const path = join(this.#folder, `${id}${ending}`);
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
    this.#bytes += content.byteLength;
    const upload = { id, name, mediaType, bytes: content.byteLength };
    this.#kept.set(id, { ...upload, path });
    return upload;
  }

  /** What a client says, as a session takes it. */
  promptOf(principal: Principal, prompt: PromptBody): Prompt {
    if (typeof prompt === "string") return prompt;
    const { text, attachments = [] } = prompt;
    return { text, attachments: attachments.map((one) => this.#attachment(principal, one)) };
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#kept.clear();
  }

  #attachment(principal: Principal, attachment: AttachmentBody): Attachment {
    if (attachment.kind === "upload") {
      const upload = this.#kept.get(attachment.id);
      if (upload === undefined) throw new HttpError(400, "invalid_input", `There is no upload ${attachment.id}.`);
      const { path } = upload;
      return upload.mediaType.startsWith("image/") ? { kind: "image", path } : { kind: "file", path };
    }
    if ("path" in attachment) requireInside(principal, attachment.path, "file");
    return attachment;
  }
}
