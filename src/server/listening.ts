import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ReinsError } from "../events/errors.ts";

/** The port, once it is open. */
export function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const why = taken
        ? `Port ${port} of ${host} is in use.`
        : `Nobody can listen on ${host}:${port} (${error.code}).`;
      reject(new ReinsError("invalid_input", why, { help: "Name another with `--port`." }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
