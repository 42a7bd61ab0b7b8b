/** Images below the lines that the inline screen prints. */
import { ImageLoader } from "../images/image-loader.ts";
import { imageProtocol, type ImageProtocol } from "../images/protocol.ts";
import { TerminalImage } from "../images/terminal-image.ts";
import type { Line } from "../line.ts";
import { styledColumns } from "../wrap.ts";
import type { App } from "./app.ts";
import type { Size } from "./draw.ts";

/** In a long session that is printed at once, further images are only named. */
const mostBytesAtOnce = 20_000_000;

export class InlineImages {
  readonly #protocol: ImageProtocol | undefined;
  readonly #loader: ImageLoader;

  constructor(app: Pick<App, "host" | "output" | "reins">) {
    const { host, output } = app;
    this.#protocol = host.settings.images === "off" ? undefined : imageProtocol(host.env);
    this.#loader = new ImageLoader({
      content: async (ref) => (await app.reins()).sessions.content(ref),
      file: host.readFile,
      loaded: () => output.changed(false),
    });
  }

  get isOn(): boolean {
    return this.#protocol !== undefined;
  }

  /** Returns whether the line can be printed. It waits for its images, so that they appear below it. */
  areReady({ images = [] }: Line): boolean {
    if (!this.isOn) return true;
    // Not `every`: all of them must start to load.
    return images.filter((image) => !this.#loader.isReady(image)).length === 0;
  }

  /** Takes the images of each line that is printed in one frame. */
  taker(size: Size): (line: Line) => readonly TerminalImage[] {
    const protocol = this.#protocol;
    if (protocol === undefined) return () => [];
    let left = mostBytesAtOnce;
    return ({ images = [], prefix = "" }) =>
      images.flatMap((source) => {
        const bytes = this.#loader.take(source);
        if (bytes === undefined || bytes.byteLength > left) return [];
        const image = TerminalImage.from(bytes, protocol, size, styledColumns(prefix));
        left -= image?.bytes ?? 0;
        return image ?? [];
      });
  }
}
