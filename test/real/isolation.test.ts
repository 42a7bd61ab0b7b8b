import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";

const connected = async (port: number, host: string) => {
  const socket = connect(port, host);
  await once(socket, "connect");
  socket.destroy();
};

test("has loopback", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  await expect(connected((server.address() as AddressInfo).port, "127.0.0.1")).resolves.toBeUndefined();
  server.close();
});

test("has no other interface, no route and no name resolution", async () => {
  expect(Object.keys(networkInterfaces())).toEqual(["lo"]);
  await expect(connected(443, "1.1.1.1")).rejects.toThrow("ENETUNREACH");
  await expect(connected(443, "2606:4700:4700::1111")).rejects.toThrow(/ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT/);
  await expect(lookup("example.com")).rejects.toThrow(/EAI_AGAIN|ENOTFOUND/);
});

test("has a clean environment, also in the first process", () => {
  const first = readFileSync("/proc/1/environ", "utf8").split("\0").filter(Boolean);
  const names = first.map((entry) => entry.slice(0, entry.indexOf("="))).sort();
  expect(names).toEqual(["HOME", "LANG", "PATH", "REINS_AGENT_CACHE", "TERM"]);
  expect(Object.keys(process.env).filter((name) => /KEY|TOKEN|SECRET|PASSWORD|PROXY|NPM_/i.test(name))).toEqual([]);
});

test("has a new home and sees no process of the machine", () => {
  const home = process.env["HOME"]!;
  expect(home).toMatch(/reins-home-/);
  expect(readdirSync(home)).not.toContain(".ssh");
  expect(readFileSync("/proc/1/cmdline", "utf8")).toContain("offline");
});
