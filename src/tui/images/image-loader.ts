/** Loads images shortly before they are printed, and drops them afterwards. */
import { mostImageBytes } from "./image-file.ts";

/** Location of an image's bytes: in the conversation as base64, in the store, or in a file. */
export type ImageSource =
  | { readonly data: string; readonly ref?: undefined; readonly path?: undefined }
  | { readonly ref: string; readonly data?: undefined; readonly path?: undefined }
  | { readonly path: string; readonly data?: undefined; readonly ref?: undefined };

export interface ImageReaders {
  /** Reads from the store by `ref`. */
  readonly content: (ref: string) => Promise<Uint8Array | undefined>;
  /** Reads a file of at most `mostBytes`. */
  readonly file: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  /** Called when bytes have arrived, or when loading failed. */
  readonly loaded: () => void;
}

/** An image that takes longer is not printed: everything below it has to wait. */
const patienceMs = 3_000;

export class ImageLoader {
  readonly #readers: ImageReaders;
  /** By location: a line that is drawn again has a new source object. Undefined while loading. */
  readonly #loading = new Map<string, { readonly bytes: Uint8Array | undefined } | undefined>();

  constructor(readers: ImageReaders) {
    this.#readers = readers;
  }

  /** Returns true when the bytes have arrived or loading failed. Starts loading otherwise. */
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

  /** Returns the bytes and drops them here. */
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
