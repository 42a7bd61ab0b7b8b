/** A server on loopback with an untrusted certificate. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function badCertificate(): Promise<{ readonly url: string; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "reins-certificate-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", ["req", ...made, ...subject, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) => {
    response.end("Nobody should have got this far.");
  });
  rmSync(folder, { recursive: true, force: true });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, close: () => void server.close() };
}
