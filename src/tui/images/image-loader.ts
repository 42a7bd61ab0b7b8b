/** Loads images when they are about to be printed, and forgets them then. */
import { mostImageBytes } from "./image-file.ts";

/** Where the bytes of an image are: in the conversation as base64, in the store, or in a file. */
export type ImageSource =
  | { readonly data: string; readonly ref?: undefined; readonly path?: undefined }
  | { readonly ref: string; readonly data?: undefined; readonly path?: undefined }
  | { readonly path: string; readonly data?: undefined; readonly ref?: undefined };

export interface ImageReaders {
  /** From the store, by its `ref`. */
  readonly content: (ref: string) => Promise<Uint8Array | undefined>;
  /** A file of at most so many bytes. */
  readonly file: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  /** Bytes have come, or will not come. */
  readonly loaded: () => void;
}

/** What comes later is not printed: everything below it waits. */
const patienceMs = 3_000;

export class ImageLoader {
  readonly #readers: ImageReaders;
  /** By where they are: a line that is drawn again has another source object. Undefined while it loads. */
  readonly #loading = new Map<string, { readonly bytes: Uint8Array | undefined } | undefined>();

  constructor(readers: ImageReaders) {
    this.#readers = readers;
  }

  /** Whether the bytes are here, or will not come; starts to load them. */
  isReady(source: ImageSource): boolean {
    if (source.data !== undefined) return true;
    const key = keyOf(source);
    if (this.#loading.has(key)) return this.#loading.get(key) !== undefined;
    this.#loading.set(key, undefined);
    const finish = (bytes: Uint8Array | undefined): void => {
      clearTimeout(timer);
      if (!this.#loading.has(key) || this.#loading.get(key) !== undefined) return;
      this.#loading.set(key, { bytes });
      this.#readers.loaded();
    };
    const timer = setTimeout(finish, patienceMs, undefined);
    timer.unref();
    this.#load(source).then(finish, () => finish(undefined));
    return false;
  }

  /** The bytes, which are not kept here any longer. */
  take(source: ImageSource): Uint8Array | undefined {
    if (source.data !== undefined)
      return source.data.length > mostImageBytes * 1.5 ? undefined : Buffer.from(source.data, "base64");
    const key = keyOf(source);
    const bytes = this.#loading.get(key)?.bytes;
    this.#loading.delete(key);
    return bytes;
  }

  async #load({ ref, path }: ImageSource): Promise<Uint8Array | undefined> {
    if (ref !== undefined) return this.#readers.content(ref);
    return path === undefined ? undefined : this.#readers.file(path, mostImageBytes);
  }
}

function keyOf({ ref, path }: ImageSource): string {
  return ref === undefined ? `file:${path}` : `ref:${ref}`;
}
