import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The web page: all code in separate files, because the server's policy allows nothing inline. */
export default defineConfig({
  root: join(import.meta.dirname, "src/web"),
  base: "./",
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, "dist/web"),
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A slow machine is no reason for a warning at the first `npm start`.
    rolldownOptions: { checks: { bundlerTimings: false } },
    // The bundle contains third-party code, whose licences must be included.
    license: { fileName: "licenses.md" },
  },
});
