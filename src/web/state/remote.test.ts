import { afterEach, expect, it, vi } from "vitest";
import { createResource } from "./remote.ts";

afterEach(() => vi.unstubAllGlobals());

/** A server that answers each request with its path, when the test says so. */
function heldServer() {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return new Promise((resolve) => answers.push(() => resolve(Response.json({ path }))));
  });
  const answer = async () => {
    await vi.waitUntil(() => answers.length > 0);
    answers.shift()!();
  };
  return { asked, answer };
}

it("asks for another path while one is pending, and keeps its answer", async () => {
  const { asked, answer } = heldServer();
  const resource = createResource<{ path: string }>("/api/agents");
  const usual = resource.load();
  const fresh = resource.load("/api/agents?fresh=true");
  await answer();
  await usual;
  await answer();
  await fresh;
  expect(asked).toEqual(["/api/agents", "/api/agents?fresh=true"]);
  expect(resource.store.get()).toMatchObject({ value: { path: "/api/agents?fresh=true" }, loading: false });
});

it("asks for the same path once at a time, and again afterwards", async () => {
  const { asked, answer } = heldServer();
  const resource = createResource<{ path: string }>("/api/agents");
  const both = [resource.load(), resource.load()];
  await answer();
  await Promise.all(both);
  expect(asked).toHaveLength(1);
  const again = resource.load();
  await answer();
  await again;
  expect(asked).toHaveLength(2);
});
