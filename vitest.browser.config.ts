import { defineConfig } from "vitest/config";

/** The web page in Chromium. `npm run test:browser` builds it and runs this. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
