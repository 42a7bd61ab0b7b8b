import { defineConfig } from "vitest/config";

/** The page in Chromium, as a person uses it. `npm run test:browser` builds what is tested and runs this. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
