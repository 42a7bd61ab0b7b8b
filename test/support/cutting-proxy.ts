/** A small TCP proxy that cuts connections on request. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface CuttingProxy {
  readonly url: string;
  /** Sets the target, such as `http://127.0.0.1:7347`. */
  leadTo(url: string): void;
  readonly open: number;
  readonly all: number;
  /** Ends every connection, whatever it carries. */
  cut(): number;
  /** Does the same and accepts no further connection. */
  end(): void;
}

export async function cuttingProxy(): Promise<CuttingProxy> {
  let target: URL | undefined;
  const pairs = new Set<readonly [Socket, Socket]>();
  let all = 0;
  const server = createServer((near) => {
    const far = connect(Number(target!.port), target!.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    all++;
    near.setNoDelay(true);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const [near] of pairs) near.destroy();
    server.close();
  });
  const cut = (): number => {
    const count = pairs.size;
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    return count;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => (target = new URL(url)),
    get open() {
      return pairs.size;
    },
    get all() {
      return all;
    },
    cut,
    end() {
      server.close();
      cut();
    },
  };
}
