import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ReinsError } from "../events/errors.ts";

/** The port, once it is open. */
export function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const nowhere = error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND";
      const why = taken
        ? `Port ${port} of ${host} is in use.`
        : nowhere
          ? `This machine has no address ${host}.`
          : `Nobody can listen on port ${port} of ${host} (${error.code}).`;
      const help = nowhere ? "Name one that it has with `--host`." : "Name another with `--port`.";
      reject(new ReinsError("invalid_input", why, { help }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
