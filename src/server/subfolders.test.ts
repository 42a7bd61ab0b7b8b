import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";

async function place() {
  const server = await apiServer({ rooted: true });
  const { cwd } = server;
  for (const name of ["src/inner", "Specs", ".git", "many"]) mkdirSync(join(cwd, name), { recursive: true });
  writeFileSync(join(cwd, "src.txt"), "");
  const outside = join(dirname(cwd), "elsewhere");
  mkdirSync(join(outside, "secret"), { recursive: true });
  symlinkSync(outside, join(cwd, "out"));
  symlinkSync(join(cwd, "src"), join(cwd, "also"));
  symlinkSync(join(cwd, "src.txt"), join(cwd, "sheet"));
  symlinkSync(join(cwd, "gone"), join(cwd, "nowhere"));
  const ask = (path: string, token?: string) =>
    server.call(`/api/folders?path=${encodeURIComponent(path)}`, token === undefined ? {} : { token });
  const names = async (path: string): Promise<string[]> => {
    const { status, body } = await ask(path);
    expect(status).toBe(200);
    return (body.folders as string[]).map((folder) => folder.slice(cwd.length));
  };
  return { server, cwd, outside, ask, names };
}

test("completes a path with folders, ignoring case, and hidden ones only after a dot", async () => {
  const { cwd, names } = await place();
  expect(await names(`${cwd}/`)).toEqual(["/also", "/many", "/Specs", "/src"]);
  expect(await names(`${cwd}/s`)).toEqual(["/Specs", "/src"]);
  expect(await names(`${cwd}/.`)).toEqual(["/.git"]);
  expect(await names(`${cwd}/also/`)).toEqual(["/also/inner"]);
  expect(await names(`${cwd}/none/x`)).toEqual([]);
  expect(await names(`${cwd}/src.txt/`)).toEqual([]);
});

test("lists nothing outside the roots: not above, not by .., not behind a link", async () => {
  const { cwd, outside, ask, names } = await place();
  for (const path of [
    cwd,
    "/",
    "/etc/",
    `${outside}/`,
    `${cwd}/../`,
    `${cwd}/../elsewhere/`,
    `${cwd}/src/../../elsewhere/`,
    `${cwd}/out/`,
    `${cwd}/out/secret/`,
    `${cwd}/also/../out/`,
  ]) {
    const { status, body } = await ask(path);
    expect([path, status, body.folders]).toEqual([path, 403, undefined]);
  }
  expect(await names(`${cwd}/ou`)).toEqual([]);
  expect(await names(`${cwd}/..`)).toEqual([]);
  for (const path of ["src/", "", `${cwd}/a\0/`]) expect((await ask(path)).status).toBe(400);
});

test("refuses a token with `read`, and lists at most 200 folders", async () => {
  const { server, cwd, ask, names } = await place();
  for (let at = 0; at < 220; at++) mkdirSync(join(cwd, "many", `one-${at}`));
  expect(await names(`${cwd}/many/`)).toHaveLength(200);
  const { body } = await server.call("/api/tokens", { body: { name: "reader", scopes: ["read"] } });
  expect((await ask(`${cwd}/`, body.token as string)).status).toBe(403);
});
