import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page: everything in files of its own, because the server allows nothing inline. */
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
    // What others wrote is in the bundle, and their licences have to be with it.
    license: { fileName: "licenses.md" },
  },
});
